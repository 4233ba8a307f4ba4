import { type CalendarEvent, calendarFile } from '#calendar-file';
import { shorten } from '#input-values';
import { readMarkdown } from '#safe-markdown';

/** Only this much of a description is read: parsing it may take a few milliseconds per event. */
const descriptionLength = 2_000;

export interface CalendarOptions {
  name: string;
  /** The host of the public URL, which makes the ids of events unique. */
  host: string;
}

/** A calendar file, in pieces, since it may have 20 MB. */
export function calendarPieces(events: readonly CalendarEvent[], options: CalendarOptions): Generator<string> {
  return calendarFile(events, {
    ...options,
    product: '-//Events Gateway//EN',
    describe: (description) => readMarkdown(shorten(description, descriptionLength)).plain,
  });
}
