import { randomUUIDv7 } from 'node:crypto';
import type { PoolClient } from 'pg';
import { mostChanges } from '../../domain/change/change-log.ts';
import type { Document } from './tables.ts';

/** The newest versions of forms; unlike a manager, an import may give a version other questions. */
const currentForms = `select distinct on (event_id) event_id, version, hash from form_version
  where event_id in (select id from touched_event) order by event_id, version desc`;

/** Copies the locked events, their forms and the subscriptions that the import may change, for the log of changes. */
export async function keepFormer(client: PoolClient, document: Document, events: readonly string[]): Promise<void> {
  await client.query('create temporary table touched_event (id uuid primary key) on commit drop');
  await client.query('insert into touched_event select unnest($1::uuid[])', [events]);
  await client.query(`create temporary table former_event on commit drop as
    select id, organization_id, status, version, accepted_count, updated_at from event join touched_event using (id)`);
  await client.query(`create temporary table former_form on commit drop as
    ${currentForms}`);
  await client.query('create temporary table touched_subscription (id uuid primary key) on commit drop');
  await client.query(
    `insert into touched_subscription
      select unnest($1::uuid[])
      union select id from subscription where status = 'waitlisted' and event_id in (select id from touched_event)
      union select s.id from subscription s join event e on e.id = s.event_id
        join unnest($2::uuid[], $3::uuid[]) as given (id, organization_id) on given.id = e.id
        where given.organization_id <> e.organization_id`,
    [
      document.subscriptions.map(({ id }) => id),
      document.events.map(({ id }) => id),
      document.events.map(({ organization_id: id }) => id),
    ],
  );
  await client.query(`create temporary table former_subscription on commit drop as
    select s.id, s.event_id, s.user_id, s.status, s.answers, s.form_version, s.waiting_since, s.checked_in_at, s.created_at, s.updated_at
    from subscription s join touched_subscription using (id)`);
}

/** An event that moved to another organization is hidden in the former one. */
const events = `
  select e.organization_id, 'event' as kind, case when f.organization_id = e.organization_id then 'changed' else 'created' end as op,
    case when e.status <> 0 and f.status <> 0 and f.organization_id = e.organization_id then 'changed' when e.status <> 0 then 'created'
      when f.status <> 0 and f.organization_id = e.organization_id then 'hidden' end as member_op,
    e.id as object_id, e.id as event_id, null::uuid as user_id, e.version
  from event e join touched_event using (id) left join former_event f using (id)
  where (f.organization_id, f.version, f.accepted_count, f.updated_at)
    is distinct from (e.organization_id, e.version, e.accepted_count, e.updated_at)
  union all
  select f.organization_id, 'event', 'hidden', case when f.status <> 0 then 'hidden' end, f.id, f.id, null, null
  from former_event f join event e using (id) where f.organization_id <> e.organization_id`;

const forms = `
  select e.organization_id, 'form', case when f.version is null or moved then 'created' else 'changed' end,
    case when e.status <> 0 then case when f.version is null or moved then 'created' else 'changed' end end,
    e.id, e.id, null::uuid, current.version
  from (${currentForms}) current
  join event e on e.id = current.event_id left join former_form f on f.event_id = e.id left join former_event fe on fe.id = e.id
  cross join lateral (select fe.organization_id is distinct from e.organization_id as moved) as place
  where moved or (f.version, f.hash) is distinct from (current.version, current.hash)
  union all
  select fe.organization_id, 'form', 'hidden', case when fe.status <> 0 then 'hidden' end, fe.id, fe.id, null, null
  from former_form f join former_event fe on fe.id = f.event_id join event e on e.id = fe.id
  where fe.organization_id <> e.organization_id`;

/**
 * A subscription that passes to another user is created for that member and hidden from the former one. An event that is
 * published creates its subscriptions for members, and one that becomes a draft hides them.
 */
const subscriptions = `
  select e.organization_id, 'subscription', case when place.stayed then 'changed' else 'created' end,
    case when e.status = 0 then case when place.stayed and fe.status <> 0 and f.event_id <> s.event_id and f.user_id = s.user_id then 'hidden' end
      when f.id is null or not place.stayed or f.user_id <> s.user_id then 'created'
      when fe.status <> 0 then 'changed' when f.event_id <> s.event_id then 'created' end,
    s.id, s.event_id, s.user_id, null::int
  from subscription s join touched_subscription using (id) join event e on e.id = s.event_id
  left join former_subscription f on f.id = s.id left join former_event fe on fe.id = f.event_id
  cross join lateral (select coalesce(fe.organization_id = e.organization_id, false) as stayed) as place
  where not place.stayed
    or (f.event_id, f.user_id, f.status, f.answers, f.form_version, f.waiting_since, f.checked_in_at, f.created_at, f.updated_at)
      is distinct from (s.event_id, s.user_id, s.status, s.answers, s.form_version, s.waiting_since, s.checked_in_at, s.created_at, s.updated_at)
  union all
  select fe.organization_id, 'subscription', case when fe.organization_id <> e.organization_id then 'hidden' end,
    case when fe.status <> 0 then 'hidden' end, f.id, f.event_id, f.user_id, null
  from former_subscription f join former_event fe on fe.id = f.event_id
  join subscription s on s.id = f.id join event e on e.id = s.event_id
  where fe.organization_id <> e.organization_id or f.user_id <> s.user_id`;

/** Logs what is different now (reference/changes.md#refetch). Nobody is the actor of an import. */
export async function writeChanges(client: PoolClient): Promise<void> {
  await client.query(`create temporary table changed on commit drop as
    select *, count(*) over (partition by organization_id, kind) as many from (${events} union all ${forms} union all ${subscriptions}) all_told`);
  const { rows: listed } = await client.query<{ count: number }>('select count(*)::int from changed where many <= $1', [
    mostChanges,
  ]);
  await client.query(
    `insert into change (organization_id, x, id, kind, op, member_op, object_id, event_id, user_id, version, occurred_at)
      select organization_id, pg_current_xact_id(), id, kind, op, member_op, object_id, event_id, user_id, version, clock_timestamp()
      from (select *, row_number() over (order by kind, organization_id, object_id, op) as nth from changed where many <= $1) changed
      join unnest($2::uuid[]) with ordinality as ids (id, nth) using (nth) order by nth`,
    [mostChanges, Array.from({ length: listed[0]?.count ?? 0 }, () => randomUUIDv7())],
  );
  const { rows } = await client.query<{ organization_id: string; kind: string }>(
    'select distinct organization_id, kind from changed where many > $1',
    [mostChanges],
  );
  for (const { organization_id: organizationId, kind } of rows) {
    await client.query(
      `insert into change (organization_id, x, id, kind, op, member_op, occurred_at)
        values ($1, pg_current_xact_id(), $2, $3, 'refetch', 'refetch', clock_timestamp())`,
      [organizationId, randomUUIDv7(), kind],
    );
  }
}
