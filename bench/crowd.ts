import { randomUUIDv7 } from 'node:crypto';
import type { PoolClient } from 'pg';

/** An organization of a run's own, all of whose people have a session with their id. */
export interface Crowd {
  organization: string;
  owner: string;
  managers: string[];
  members: string[];
  /** They are active, and all members see them. */
  events: string[];
}

export interface CrowdCounts {
  organizations: number;
  managers: number;
  members: number;
  events: number;
}

/** Creates organizations, in place of those of the run before. */
export async function prepareCrowds(client: PoolClient, counts: CrowdCounts): Promise<Crowd[]> {
  const ids = (count: number) => Array.from({ length: count }, () => randomUUIDv7());
  await client.query(
    `delete from change where organization_id in (select id from organization where slug like 'bench-crowd-%')`,
  );
  await client.query(`delete from organization where slug like 'bench-crowd-%'`);
  await client.query(`delete from "user" where email like '%@bench-crowd.example'`);
  const crowds = Array.from({ length: counts.organizations }, () => ({
    organization: randomUUIDv7(),
    owner: randomUUIDv7(),
    managers: ids(counts.managers),
    members: ids(counts.members),
    events: ids(counts.events),
  }));
  for (const [index, { organization, owner, managers, members, events }] of crowds.entries()) {
    const people = [owner, ...managers, ...members];
    await client.query(`insert into organization (id, name, slug) values ($1, 'Bench', $2)`, [
      organization,
      `bench-crowd-${index}`,
    ]);
    await client.query(
      `insert into "user" (id, email, mailbox, name, verified_at) select id, id || '@bench-crowd.example', id || '@bench-crowd.example', 'Reader', now() from unnest($1::uuid[]) as id`,
      [people],
    );
    await client.query(
      `insert into membership (id, organization_id, user_id, role) select gen_random_uuid(), $1, id,
          case when id = $3 then 'owner' when id = any($4::uuid[]) then 'manager' else 'member' end from unnest($2::uuid[]) as id`,
      [organization, people, owner, managers],
    );
    await client.query(
      `insert into session (id, user_id, expires_at) select id, id, now() + interval '1 day' from unnest($1::uuid[]) as id`,
      [people],
    );
    await client.query(
      `insert into event (id, organization_id, name, slug, status, date_start, date_end)
        select id, $1, 'Bench', id::text, 1, now() + interval '30 days', now() + interval '31 days' from unnest($2::uuid[]) as id`,
      [organization, events],
    );
  }
  await client.query('analyze "user", membership, session, event');
  return crowds;
}
