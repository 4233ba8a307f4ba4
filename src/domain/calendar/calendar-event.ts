import type { EventRow } from '../event/event.resource.ts';

export const maxEvents = 500;

export type CalendarStatus = 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';

/** An event as calendars show it, with times as ISO 8601. */
export type CalendarEvent = Pick<EventRow, Exclude<(typeof calendarColumns)[number], 'status'>> & {
  status: CalendarStatus;
};

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

/** Also TENTATIVE if the viewer's place is not certain (reference/calendars-and-exports.md#content). */
export function calendarStatus(event: number, subscription: string | null): CalendarStatus {
  if (event === 2) return 'CANCELLED';
  const uncertain = event === 0 || subscription === 'pending' || subscription === 'waitlisted';
  return uncertain ? 'TENTATIVE' : 'CONFIRMED';
}
