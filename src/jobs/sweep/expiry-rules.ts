import sql, { raw, type Sql } from 'sql-template-tag';
import type { Bounds } from '../../config/bounds.ts';
import { idleDays } from '../../domain/session/session-life.ts';
import { keptHours } from '../../engine/idempotency/idempotency.ts';

/** Expired rows of a table, in the order of an index. */
interface Rule {
  table: string;
  /** The column of the index. */
  by: string;
  over: Sql;
}

/** For how many days tries of webhooks are kept (interface/webhooks.md#deliveries). */
const deliveryDays = 30;

const before = (days: number): Sql => sql`now() - make_interval(days => ${days})`;

/** A kind of row that expires by age alone, and the statement that deletes a batch of it, the oldest rows first. */
interface ExpiryRule {
  name: string;
  statement: (size: number) => Sql;
}

export function expiryRules(days: Bounds['retentionDays']): ExpiryRule[] {
  const rules: Rule[] = [
    { table: 'one_time_token', by: 'expires_at', over: sql`expires_at < now()` },
    { table: 'rate_limit', by: 'expire', over: sql`expire < (extract(epoch from now()) * 1000)::bigint` },
    // given up, and kept for inspection
    { table: 'job', by: 'created_at', over: sql`due_at is null and created_at < ${before(days.mails)}` },
    { table: 'audit_entry', by: 'created_at', over: sql`created_at < ${before(days.audit)}` },
    // all audit entries written during the membership have expired
    { table: 'former_membership', by: 'ended_at', over: sql`ended_at < ${before(days.audit)}` },
    { table: 'session', by: 'ended_at', over: sql`ended_at < ${before(days.endedSessions)}` },
    // not ended, but unusable since then (domain/session/session-life.ts)
    {
      table: 'session',
      by: 'last_used_at',
      over: sql`ended_at is null and last_used_at < ${before(days.endedSessions + idleDays)}`,
    },
    // a version may use it again, for example after a copy of the event
    {
      table: 'form_content',
      by: 'unused_since',
      over: sql`unused_since < now() - interval '1 hour' and not exists (select from form_version f
        where f.organization_id = form_content.organization_id and f.hash = form_content.hash)`,
    },
    {
      table: 'webhook_delivery',
      by: 'created_at',
      over: sql`created_at < ${before(deliveryDays)}`,
    },
    // every replica in use has come as far by then
    { table: 'last_write', by: 'written_at', over: sql`written_at < now() - interval '1 hour'` },
    { table: 'guest_request', by: 'expires_at', over: sql`expires_at < now()` },
    { table: 'invitation', by: 'expires_at', over: sql`expires_at < ${before(days.expiredInvitations)}` },
    {
      table: 'idempotency_key',
      by: 'created_at',
      over: sql`created_at < now() - make_interval(hours => ${keptHours})`,
    },
  ];
  return rules.map(({ table, by, over }) => {
    const chosen = (size: number) => sql`select ctid from ${raw(table)} where ${over} order by ${raw(by)}
      limit ${size} for update skip locked`;
    // by ctid, which is stable while the rows are locked; with keys, the planner might scan the whole table
    const statement = (size: number) =>
      sql`delete from ${raw(table)} where ctid = any(array(${chosen(size)})) returning 1 as gone`;
    return { name: `${table} ${by}`, statement };
  });
}
