import type { Event } from './event.entity.ts';

/** When and where an event takes place: subscribers get a mail if it changes. */
export type EventMoment = Pick<Event, 'date_start' | 'date_end' | 'timezone' | 'location'>;

export function eventMoment({ date_start, date_end, timezone, location }: Event): EventMoment {
  return { date_start, date_end, timezone, location };
}
