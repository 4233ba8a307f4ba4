import { sql } from 'kysely';

export interface EventFacts {
  id: string;
  version: number;
  created: Date;
  updated: Date;
  name: string;
  organization: string;
  /** Where the organization can be written to. */
  contact: string | null;
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
  'e.id as event_id',
  'e.version',
  milliseconds('e.created_at').as('created'),
  milliseconds('e.updated_at').as('updated'),
  'e.name as event',
  'o.name as organization',
  'o.contact_email as contact',
  milliseconds('e.date_start').as('start'),
  milliseconds('e.date_end').as('end'),
  'e.timezone',
  'e.location',
  sql<boolean>`o.deleted_at is not null`.as('gone'),
] as const;

type Times = 'start' | 'end' | 'created' | 'updated';

export function toEventFacts({
  event_id: id,
  event: name,
  ...row
}: Omit<EventFacts, 'id' | 'name' | Times> & { event_id: string; event: string } & Record<Times, number>): EventFacts {
  const { version, organization, contact, timezone, location, gone } = row;
  const [start, end] = [new Date(row.start), new Date(row.end)];
  const [created, updated] = [new Date(row.created), new Date(row.updated)];
  return { id, version, created, updated, name, organization, contact, start, end, timezone, location, gone };
}
