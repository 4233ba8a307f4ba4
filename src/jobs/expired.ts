import { type RawBuilder, sql } from 'kysely';
import { built, type Statement } from '#postgres-access';
import type { Bounds } from '../config/bounds.ts';
import { idleDays } from '../domain/session/session-life.ts';
import { linkEnd } from '../domain/subscription/subscription-link.ts';
import { tables } from '../domain/tables/tables.ts';
import type { Database } from '../engine/database.ts';
import { keptHours } from '../engine/idempotency/idempotency.ts';

export type RetentionDays = Bounds['retentionDays'];

/** For how many days attempts are kept (reference/webhooks.md#deliveries). */
const deliveryDays = 30;

const before = (days: number): RawBuilder<unknown> => sql`now() - make_interval(days => ${days})`;

/**
 * Statements that delete a batch of rows which have expired, the oldest first. Each returns a row for every one that it has deleted or
 * postponed: fewer than a batch at the end.
 */
export function expiryRules(days: RetentionDays): { name: string; statement: (size: number) => Statement }[] {
  // `by` is the column of an index
  const rules = [
    { table: 'one_time_token', by: 'expires_at', over: sql`expires_at < now()` },
    { table: 'rate_limit', by: 'expire', over: sql`expire < (extract(epoch from now()) * 1000)::bigint` },
    // given up, but kept for inspection
    { table: 'job', by: 'created_at', over: sql`due_at is null and created_at < ${before(days.mails)}` },
    { table: 'audit_entry', by: 'created_at', over: sql`created_at < ${before(days.audit)}` },
    // all audit entries written during the membership have expired
    { table: 'former_membership', by: 'ended_at', over: sql`ended_at < ${before(days.audit)}` },
    { table: 'session', by: 'ended_at', over: sql`ended_at < ${before(days.endedSessions)}` },
    // not ended, but idle for too long (domain/session/session-life.ts)
    {
      table: 'session',
      by: 'last_used_at',
      over: sql`ended_at is null and last_used_at < ${before(days.endedSessions + idleDays)}`,
    },
    // within an hour a version may use it again, for example after the event is copied
    {
      table: 'form_content',
      by: 'unused_since',
      over: sql`unused_since < now() - interval '1 hour' and not exists (select from form_version f
        where f.organization_id = form_content.organization_id and f.hash = form_content.hash)`,
    },
    { table: 'webhook_delivery', by: 'created_at', over: sql`created_at < ${before(deliveryDays)}` },
    // every replica in use has replayed it by then
    { table: 'last_write', by: 'written_at', over: sql`written_at < now() - interval '1 hour'` },
    { table: 'guest_request', by: 'expires_at', over: sql`expires_at < now()` },
    { table: 'invitation', by: 'expires_at', over: sql`expires_at < ${before(days.expiredInvitations)}` },
    {
      table: 'idempotency_key',
      by: 'created_at',
      over: sql`created_at < now() - make_interval(hours => ${keptHours})`,
    },
  ];
  const byAge = rules.map(({ table, by, over }) => {
    const chosen = (size: number) => sql`select ctid from ${sql.raw(table)} where ${over} order by ${sql.raw(by)}
      limit ${size} for update skip locked`;
    // by ctid, which is stable while the rows are locked; with keys, the planner might scan the whole table
    const statement = (size: number) =>
      built(sql`delete from ${sql.raw(table)} where ctid = any(array(${chosen(size)})) returning 1 as gone`);
    return { name: `${table} ${by}`, statement };
  });
  const changes = { name: 'change', statement: (size: number) => oldChangesSql(days.changes, size) };
  return [...byAge, changes, { name: 'guest_link', statement: guestLinksSql }];
}

/**
 * Deletes a batch of the oldest changes, and stores to which number and time the log of each organization was shortened. Changes are
 * kept a day longer than cursors, so that deletion does not overtake readers (note 0058).
 */
export function oldChangesSql(days: number, size: number): Statement {
  // in the order of transactions: one that was open for long has a low number but recent changes
  return built(sql`with oldest as (
      select ctid, occurred_at from change where x < pg_snapshot_xmin(pg_current_snapshot())
      order by x limit ${size}
    ), expired as (
      select ctid from oldest where occurred_at < ${before(days + 1)}
    ), gone as (
      delete from change where ctid = any(array(select ctid from expired)) returning organization_id, seq, occurred_at
    ), noted as (
      insert into change_floor (organization_id, seq, updated_at)
      select organization_id, max(seq), max(occurred_at) from gone group by organization_id order by organization_id
      on conflict (organization_id) do update
        set seq = greatest(change_floor.seq, excluded.seq), updated_at = greatest(change_floor.updated_at, excluded.updated_at)
    )
    select 1 from gone`);
}

/** Deletes expired links to subscriptions; postpones those to events that were moved. */
function guestLinksSql(size: number): Statement {
  return built(sql`with due as (
      select l.hash, ${linkEnd} as ends from guest_link l
      join subscription s on s.id = l.subscription_id join event e on e.id = s.event_id
      where l.expires_at < now() order by l.expires_at limit ${size} for update of l skip locked
    ), moved as (
      update guest_link l set expires_at = due.ends from due where l.hash = due.hash and due.ends >= now()
    ), gone as (
      delete from guest_link l using due where l.hash = due.hash and due.ends < now()
    )
    select hash from due`);
}

/** No membership or subscription, which an unverified account has only from an import, and no valid mailed link. */
const nothingAttached: RawBuilder<boolean> = sql`u.verified_at is null
  and not exists (select from membership m where m.user_id = u.id)
  and not exists (select from subscription s where s.user_id = u.id)
  and not exists (select from one_time_token t where t.user_id = u.id and t.expires_at > now())`;

/**
 * Deletes a batch of accounts from sign-ups that were not verified within `days`, and of pending sign-ups whose account is verified.
 * Imported accounts are never deleted: nobody signed up for them. Returns fewer rows than a batch at the end.
 */
export async function deleteUnprovenAccounts(db: Database, days: number, batchSize: number): Promise<unknown[]> {
  const old = sql`p.created_at < ${before(days)}`;
  const proven = await db.rows(
    built(sql`delete from pending_sign_up where user_id in (
      select p.user_id from pending_sign_up p join "user" u on u.id = p.user_id
      where ${old} and u.verified_at is not null order by p.created_at limit ${batchSize} for update of p skip locked)
    returning 1 as gone`),
  );
  if (proven.length === batchSize) return proven;
  return await db.transaction(async (inner) => {
    const abandoned = tables
      .selectFrom('pending_sign_up as p')
      .innerJoin('user as u', 'u.id', 'p.user_id')
      .select('u.id')
      .where(sql<boolean>`${old} and ${nothingAttached}`)
      .orderBy('p.created_at')
      .limit(batchSize)
      .forUpdate('u')
      .skipLocked();
    const accounts = await inner.rows(built(abandoned));
    if (accounts.length === 0) return accounts;
    // checked again under the lock, which prevents that anything else is attached
    const ids = accounts.map(({ id }) => id);
    await inner.run(built(tables.deleteFrom('user as u').where('u.id', 'in', ids).where(nothingAttached)));
    return accounts;
  });
}
