import { type RawBuilder, sql } from 'kysely';
import type { PoolClient } from 'pg';
import { built } from '../packages/postgres-access/src/index.ts';

/** The key of an event in the order of the list. */
export interface Place {
  /** ISO 8601. */
  time: string;
  id: string;
}

/** The rows that the questions are about. */
export interface Picks {
  /** The large one. */
  organization: string;
  /** The organization's event with by far the most subscriptions. */
  hot: Place & { name: string; subscriptions: number; before: Place };
  /** A page deep in the list: the last item before it, its number, and the name of its first item. */
  deep: Place & { page: number; name: string };
  /** A range of start dates with some 50,000 active events of a million. */
  range: { from: string; to: string };
  /** Two letters that no generated name contains. */
  rare: string;
}

interface Found {
  id: string;
  name: string;
  time: number;
}

const pageSize = 20;
const key = sql.raw('id, name, (extract(epoch from date_start) * 1000)::float8 as time');

/** Picks the same rows in every run, without reading whole tables: there may be ten million events. */
export async function pick(client: PoolClient, events: number): Promise<Picks> {
  const { id: organization } = await one<{ id: string }>(
    client,
    sql`select organization_id as id from ${await sample(client, 'event')} group by 1 order by count(*) desc limit 1`,
  );
  return {
    organization,
    hot: await pickHot(client, organization),
    deep: await pickDeep(client, organization, events),
    range: await pickRange(client, organization),
    rare: 'zq',
  };
}

async function pickHot(client: PoolClient, organization: string): Promise<Picks['hot']> {
  const hot = await one<Found>(
    client,
    sql`with busy as materialized (
        select event_id, count(*) as hits from ${await sample(client, 'subscription')} group by 1 order by 2 desc limit 100)
      select ${key} from event join busy on event_id = id where organization_id = ${organization} order by hits desc, id limit 1`,
  );
  const { subscriptions } = await one<{ subscriptions: number }>(
    client,
    sql`select count(*)::int as subscriptions from subscription where event_id = ${hot.id}`,
  );
  if (subscriptions < 60)
    throw new Error('No event has 60 subscriptions, as the questions need: generate more of them.');
  const before = await one<Found>(
    client,
    sql`select ${key} from event where organization_id = ${organization}
      and (date_start, id) < (${place(hot).time}, ${hot.id}) order by date_start desc, event.id desc limit 1`,
  );
  return { ...place(hot), name: hot.name, subscriptions, before: place(before) };
}

async function pickDeep(client: PoolClient, organization: string, events: number): Promise<Picks['deep']> {
  const page = Math.min(5_000, Math.max(2, Math.floor(events / 4 / pageSize)));
  const [last, first] = await all<Found>(
    client,
    sql`select ${key} from event where organization_id = ${organization}
      order by date_start, event.id offset ${(page - 1) * pageSize - 1} limit 2`,
  );
  if (!last || !first) throw new Error(`The organization has no page ${page}: generate more events.`);
  return { ...place(last), page, name: first.name };
}

async function pickRange(client: PoolClient, organization: string): Promise<Picks['range']> {
  const at = (share: number) =>
    sql`(extract(epoch from percentile_disc(${share}::float8) within group (order by date_start)) * 1000)::float8`;
  const range = await one<{ start: number; end: number }>(
    client,
    sql`select ${at(0.4)} as "start", ${at(0.55)} as "end" from ${await sample(client, 'event')} where organization_id = ${organization}`,
  );
  return { from: new Date(range.start).toISOString(), to: new Date(range.end).toISOString() };
}

/** Some 20,000 rows of a table, the same each time. */
async function sample(client: PoolClient, table: 'event' | 'subscription'): Promise<RawBuilder<unknown>> {
  const { count } = await one<{ count: number }>(
    client,
    sql`select reltuples::float8 as count from pg_class where oid = ${table}::regclass`,
  );
  const percent = count > 0 ? Math.min(100, 2_000_000 / count) : 100;
  return sql.raw(`${table} tablesample system (${percent}) repeatable (1)`);
}

async function all<Row extends object>(client: PoolClient, query: RawBuilder<unknown>): Promise<Row[]> {
  const { sql: text, parameters } = built(query);
  return (await client.query<Row>(text, [...parameters])).rows;
}

async function one<Row extends object>(client: PoolClient, query: RawBuilder<unknown>): Promise<Row> {
  const [row] = await all<Row>(client, query);
  if (!row) throw new Error('The database of the benchmark does not contain the rows that the questions are about.');
  return row;
}

function place({ id, time }: Found): Place {
  return { id, time: new Date(time).toISOString() };
}
