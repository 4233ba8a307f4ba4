import { randomUUIDv7 } from 'node:crypto';
import type { PoolClient } from 'pg';

/** One write as the load generator sends it to each peer. */
export interface Write {
  method: 'POST' | 'PATCH';
  body?: string;
  /** The form for the gateway, and for the servers without users and rules. */
  paths: { gateway: string; bare: string };
  /** The user whose access token is sent. */
  user: string;
}

export interface WriteQuestion {
  name: string;
  title: string;
  /** The writes of one round, each of which is sent once. */
  writes(round: string): Write[];
  /** A statement that fails if the writes of a round had the wrong effect. */
  check: string;
}

/** The rows that the writes are about: a separate organization, created for each run. */
export interface WriteData {
  organization: string;
  /** The users who subscribe, and those who change events. */
  members: string[];
  managers: string[];
  /** The event with few places, and those with places for everybody. */
  crowded: string;
  events: string[];
}

const places = 100;

/** Creates an organization with members, managers and events. */
export async function prepareWrites(client: PoolClient, subscribers: number, events: number): Promise<WriteData> {
  const ids = (count: number) => Array.from({ length: count }, () => randomUUIDv7());
  const data: WriteData = {
    organization: randomUUIDv7(),
    members: ids(subscribers),
    managers: ids(Math.ceil(events / 10)),
    crowded: randomUUIDv7(),
    events: ids(events),
  };
  const people = [...data.members, ...data.managers];
  await client.query(`delete from organization where slug = 'bench-writes'`);
  await client.query(`delete from "user" where email like '%@bench-writes.example'`);
  await client.query(`insert into organization (id, name, slug) values ($1, 'Bench', 'bench-writes')`, [
    data.organization,
  ]);
  await client.query(
    `insert into "user" (id, email, mailbox, name, verified_at) select id, id || '@bench-writes.example', id || '@bench-writes.example', 'Writer', now() from unnest($1::uuid[]) as id`,
    [people],
  );
  await client.query(
    `insert into membership (id, organization_id, user_id, role)
      select gen_random_uuid(), $1, id, case when id = any($3::uuid[]) then 'manager' else 'member' end from unnest($2::uuid[]) as id`,
    [data.organization, people, data.managers],
  );
  // sessions have the id of their user, so that tokens can be created from one id
  await client.query(
    `insert into session (id, user_id, expires_at) select id, id, now() + interval '1 day' from unnest($1::uuid[]) as id`,
    [people],
  );
  await client.query(
    `insert into event (id, organization_id, name, slug, status, date_start, date_end, capacity)
      select id, $1, 'Bench', id::text, 1, now() + interval '30 days', now() + interval '31 days', case when id = $3 then $4::int end
      from unnest($2::uuid[]) as id`,
    [data.organization, [data.crowded, ...data.events], data.crowded, places],
  );
  await client.query('analyze "user", membership, session, event');
  return data;
}

/** Undoes what a question wrote, so that it can be measured again. */
export async function resetWrites(client: PoolClient, { organization }: WriteData): Promise<void> {
  await client.query('delete from subscription where organization_id = $1', [organization]);
  await client.query('delete from change where organization_id = $1', [organization]);
  await client.query(`delete from job where kind = 'subscription_changed'`);
}

const subscription = (event: string, user: string): Write => ({
  method: 'POST',
  paths: { gateway: `/events/${event}/subscriptions`, bare: `/subscribe/${event}/${user}` },
  user,
});

export function writeQuestions({ members, managers, crowded, events }: WriteData): WriteQuestion[] {
  const at = (list: readonly string[], index: number) => list[index % list.length] as string;
  const accepted = Math.min(places, members.length);
  return [
    {
      name: 'W1',
      title: `${members.length} users subscribe to ${places} places of one event`,
      writes: () => members.map((user) => subscription(crowded, user)),
      check: `select (select accepted_count from event where id = '${crowded}') = ${accepted}
        and count(*) filter (where status = 'waitlisted') = ${members.length - accepted} as holds
        from subscription where event_id = '${crowded}'`,
    },
    {
      name: 'W2',
      title: `subscriptions spread over ${events.length.toLocaleString('en')} events`,
      writes: () => events.map((event, index) => subscription(event, at(members, index))),
      check: `select count(*) = ${events.length} and bool_and(status = 'accepted') as holds from subscription where event_id = any('{${events}}')`,
    },
    {
      name: 'W3',
      title: `PATCH of ${events.length.toLocaleString('en')} events`,
      writes: (round) =>
        events.map((event, index) => ({
          method: 'PATCH',
          body: JSON.stringify({ description: `As of round ${round}.` }),
          paths: { gateway: `/events/${event}`, bare: `/change/${event}/${at(managers, index)}` },
          user: at(managers, index),
        })),
      check: `select count(distinct description) = 1 and bool_and(version > 1) as holds from event where id = any('{${events}}')`,
    },
  ];
}
