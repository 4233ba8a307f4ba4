import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isTurnOver, nextTurn } from '#fair-turns';
import type { CalendarEvent } from '../domain/calendar/calendar-event.ts';
import type { Context } from '../engine/context.ts';
import { attachment } from '../http/attachment.ts';
import { knownBy, weakTag } from '../http/entity-tags.ts';
import { inTurn, Turns } from '../kernel/turns/turns.ts';
import { type CalendarOptions, calendarPieces } from './calendar.ts';

/** Limits how many long calendars this process makes at once: each takes a second of its only thread. */
const turns = new Turns({ connections: 2, userShare: 100, organizationShare: 100, patience: 5_000 });

/**
 * Makes a long calendar in its turn: one at a time per organization, per network, and for all anonymous clients (note 0030).
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time; ClientGone
 */
export async function inCalendarTurn<Result>(ctx: Context, make: () => Promise<Result>): Promise<Result> {
  return await inTurn(ctx, turns, make);
}

export interface CalendarFile extends CalendarOptions {
  /** Without the extension. */
  fileName: string;
}

/** Sends a calendar file; making a long one does not block other requests. */
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

/** Sends a calendar that only its reader may see, or 304: programs poll it. */
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

/** A hash of the input, since making the calendar takes longer. */
async function tagOf(events: readonly CalendarEvent[], file: CalendarFile): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([file, process.versions.tz]));
  for (const event of events) {
    hash.update(JSON.stringify(event));
    if (isTurnOver()) await nextTurn();
  }
  return weakTag(hash.digest('base64url'));
}
