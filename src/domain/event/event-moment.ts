import type { Event } from './event.entity.ts';

/** When and where an event takes place: subscribers get a mail if it changes. */
export interface EventMoment {
  date_start: string;
  date_end: string;
  timezone: string;
  location: string | null;
}

export function eventMoment(event: Event): EventMoment {
  return {
    date_start: event.dateStart.toISOString(),
    date_end: event.dateEnd.toISOString(),
    timezone: event.timezone,
    location: event.location ?? null,
  };
}
