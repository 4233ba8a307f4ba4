import type { PoolClient } from 'pg';
import sql, { type Sql } from 'sql-template-tag';
import { auditSql } from '../../domain/audit/audit.ts';
import { livingSession } from '../../domain/session/session-life.ts';
import type { ImportRow } from './document.ts';

/** Existing accounts whose password or address a document changes. */
export interface Replaced {
  passwords: string[];
  addresses: string[];
}

/** Finds these accounts; must run before the document is written. */
export async function findReplaced(client: PoolClient, users: ImportRow[]): Promise<Replaced> {
  const { rows } = await client.query<{ id: string; address: boolean }>(
    `select old.id, old.mailbox is distinct from given.mailbox as address
      from "user" old join unnest($1::uuid[], $2::text[]) as given (id, mailbox) on old.id = given.id`,
    [users.map((user) => user.id), users.map((user) => user.mailbox)],
  );
  const withPassword = new Set(users.filter((user) => user.password_hash !== undefined).map((user) => user.id));
  return {
    passwords: rows.map(({ id }) => id).filter((id) => withPassword.has(id)),
    addresses: rows.filter(({ address }) => address).map(({ id }) => id),
  };
}

/**
 * Ends the access through the old passwords and addresses, as a change by their owners would: sessions, mailed links
 * and secret calendar addresses. Runs after the document is written: a concurrent sign-in locks its account's row, so
 * by then it has either started its session or finds the new password.
 */
export async function endSignIns(client: PoolClient, { passwords, addresses }: Replaced): Promise<void> {
  const run = async ({ text, values }: Sql) => await client.query(text, values);
  await run(sql`delete from one_time_token
    where user_id = any(${addresses}::uuid[]) or (user_id = any(${passwords}::uuid[]) and purpose = 'reset_password')`);
  await run(sql`update session t set ended_at = now(), end_reason = 'password_changed'
    where t.user_id = any(${passwords}::uuid[]) and ${livingSession}`);
  if (passwords.length === 0) return;
  const nobody = { ip: null, userAgent: null, requestId: null };
  await run(auditSql(nobody, { action: 'password.changed', detail: { by: 'import' } }, passwords));
  const calendars = await client.query<{ user_id: string }>(
    'delete from calendar_feed where user_id = any($1::uuid[]) returning user_id',
    [passwords],
  );
  const ended = calendars.rows.map((row) => row.user_id);
  if (ended.length > 0) await run(auditSql(nobody, { action: 'calendar.ended', detail: { by: 'import' } }, ended));
}
