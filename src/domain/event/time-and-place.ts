import type { Event } from './event.entity.ts';

/** When and where an event takes place; subscribers get a mail if it changes. */
export type TimeAndPlace = Pick<Event, 'date_start' | 'date_end' | 'timezone' | 'location'>;

export function timeAndPlace({ date_start, date_end, timezone, location }: Event): TimeAndPlace {
  return { date_start, date_end, timezone, location };
}
