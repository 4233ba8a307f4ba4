import { sql } from 'kysely';

export interface EventFacts {
  name: string;
  organization: string;
  start: Date;
  end: Date;
  timezone: string;
  location: string | null;
  /** Whether its organization is being deleted, so that nothing about it follows. */
  gone: boolean;
}

const milliseconds = (column: string) => sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** For an event `e` and its organization `o`. */
export const eventFactColumns = [
  'e.name as event',
  'o.name as organization',
  milliseconds('e.date_start').as('start'),
  milliseconds('e.date_end').as('end'),
  'e.timezone',
  'e.location',
  sql<boolean>`o.deleted_at is not null`.as('gone'),
] as const;

export function toEventFacts({
  event: name,
  start,
  end,
  ...row
}: Omit<EventFacts, 'name' | 'start' | 'end'> & { event: string; start: number; end: number }): EventFacts {
  const { organization, timezone, location, gone } = row;
  return { name, organization, start: new Date(start), end: new Date(end), timezone, location, gone };
}
