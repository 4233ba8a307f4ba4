import type { EventRow } from '../event/event.resource.ts';

/** The maximum number of events in a calendar. */
export const maxEvents = 500;

/** The status of an event in a calendar. */
export type CalendarStatus = 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';

type Shown = 'id' | 'name' | 'description' | 'location' | 'timezone' | 'version';

/** An event as calendars show it, with times as ISO 8601. */
export interface CalendarEvent extends Pick<EventRow, Shown | 'date_start' | 'date_end' | 'created_at' | 'updated_at'> {
  status: CalendarStatus;
}

export const calendarColumns = [
  'id',
  'name',
  'description',
  'location',
  'timezone',
  'version',
  'status',
  'date_start',
  'date_end',
  'created_at',
  'updated_at',
] as const satisfies (keyof EventRow)[];

/**
 * CANCELLED for a cancelled event; TENTATIVE for a draft, or if the viewer's place is not certain
 * (reference/calendars-and-exports.md#content).
 */
export function calendarStatus(event: number, subscription: string | null): CalendarStatus {
  if (event === 2) return 'CANCELLED';
  const uncertain = event === 0 || subscription === 'pending' || subscription === 'waitlisted';
  return uncertain ? 'TENTATIVE' : 'CONFIRMED';
}
