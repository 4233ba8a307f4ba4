import type { ServerResponse } from 'node:http';
import type { CalendarEvent } from '../domain/calendar/calendar-event.ts';
import { attachment } from '../http/attachment.ts';
import { Pace } from '../kernel/pace.ts';
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
  const pace = new Pace();
  for (const piece of calendarPieces(events, options)) {
    if (piece !== '') pieces.push(Buffer.from(piece));
    if (!pace.isDue()) continue;
    await pace.rest();
    if (response.destroyed) return;
  }
  response.end(Buffer.concat(pieces));
}
