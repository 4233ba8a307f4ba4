import { raw, type Sql } from 'sql-template-tag';

/** The facts about an event in a mail. */
export interface EventFacts {
  name: string;
  organization: string;
  start: Date;
  end: Date;
  /** IANA name; times are shown in it. */
  timezone: string;
  location: string | null;
  /** Whether its organization is being deleted: nothing about it follows. */
  gone: boolean;
}

/** A row of {@link eventFactColumns}. */
export interface EventFactsRow {
  event: string;
  organization: string;
  start: number;
  end: number;
  timezone: string;
  location: string | null;
  gone: boolean;
}

/** The facts of a mail, as columns of an event `e` and its organization `o`. */
export const eventFactColumns: Sql = raw(`e.name as event, o.name as organization,
  (extract(epoch from e.date_start) * 1000)::float8 as start, (extract(epoch from e.date_end) * 1000)::float8 as end,
  e.timezone, e.location, o.deleted_at is not null as gone`);

export function toEventFacts(row: EventFactsRow): EventFacts {
  const { event: name, organization, timezone, location, gone } = row;
  return { name, organization, start: new Date(row.start), end: new Date(row.end), timezone, location, gone };
}
