import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CalendarEvent } from '../domain/calendar/calendar-event.ts';
import { attachment } from '../http/attachment.ts';
import { knownBy, weakTag } from '../http/entity-tags.ts';
import { isTurnOver, nextTurn } from '../kernel/pace.ts';
import { type CalendarOptions, calendarPieces } from './calendar.ts';

export interface CalendarFile extends CalendarOptions {
  /** Without the extension. */
  fileName: string;
}

/** Sends events as a calendar file to save or subscribe to. A long one does not block other requests. */
export async function sendCalendar(
  response: ServerResponse,
  events: readonly CalendarEvent[],
  { fileName, ...options }: CalendarFile,
): Promise<void> {
  response.setHeader('content-type', 'text/calendar; charset=utf-8');
  response.setHeader('content-disposition', attachment(`${fileName}.ics`));
  const pieces: Buffer[] = [];
  for (const piece of calendarPieces(events, options)) {
    if (piece !== '') pieces.push(Buffer.from(piece));
    if (!isTurnOver()) continue;
    await nextTurn();
    if (response.destroyed) return;
  }
  response.end(Buffer.concat(pieces));
}

/** Sends a calendar that only its reader may see, unless that has it already: programs poll it. */
export async function sendOwnCalendar(
  request: IncomingMessage,
  response: ServerResponse,
  events: readonly CalendarEvent[],
  file: CalendarFile,
): Promise<void> {
  const tag = await tagOf(events, file);
  response.setHeader('cache-control', 'private, no-cache').setHeader('etag', tag);
  const { known, any } = knownBy(request, tag);
  if (known || any) response.writeHead(304).end();
  else await sendCalendar(response, events, file);
}

/** Of what a calendar is made from, since making it takes longer. */
async function tagOf(events: readonly CalendarEvent[], file: CalendarFile): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([file, process.versions.tz]));
  for (const event of events) {
    hash.update(JSON.stringify(event));
    if (isTurnOver()) await nextTurn();
  }
  return weakTag(hash.digest('base64url'));
}
