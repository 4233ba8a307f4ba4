import type { ServerResponse } from 'node:http';
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { CalendarEvent } from '../domain/calendar/calendar-event.ts';
import { attachment } from '../http/attachment.ts';
import { type CalendarOptions, calendarPieces } from './calendar.ts';

export interface CalendarFile extends CalendarOptions {
  /** Without the extension. */
  fileName: string;
}

/** Milliseconds after which other requests get a turn. */
const longestTurn = 10;

/** Sends events as a calendar file to save or to subscribe to. A long one does not hold up other requests. */
export async function sendCalendar(
  response: ServerResponse,
  events: readonly CalendarEvent[],
  { fileName, ...options }: CalendarFile,
): Promise<void> {
  response.setHeader('content-type', 'text/calendar; charset=utf-8');
  response.setHeader('content-disposition', attachment(`${fileName}.ics`));
  const pieces: Buffer[] = [];
  let since = performance.now();
  for (const piece of calendarPieces(events, options)) {
    pieces.push(Buffer.from(piece));
    if (performance.now() - since < longestTurn) continue;
    await othersTurn();
    if (response.destroyed) return;
    since = performance.now();
  }
  response.end(Buffer.concat(pieces));
}
