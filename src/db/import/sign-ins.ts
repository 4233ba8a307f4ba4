import type { PoolClient } from 'pg';
import { built, rowsOn, type Statement } from '#postgres-access';
import type { Row } from '#table-import';
import { auditSql } from '../../domain/audit/audit.ts';
import { isLiving } from '../../domain/session/session-life.ts';
import { anyOf, now, tables } from '../../domain/tables/tables.ts';

/** Existing accounts whose password or address a document changes. */
export interface Replaced {
  passwords: string[];
  addresses: string[];
}

/** Must run before the document is written. */
export async function findReplaced(client: PoolClient, users: Row[]): Promise<Replaced> {
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
 * Ends sessions, mailed links and calendar addresses, as a change by the owner would. Must run after the document is written: a
 * concurrent sign-in locks its account's row, so it has a session by then, or finds the new password.
 */
export async function endSignIns(client: PoolClient, { passwords, addresses }: Replaced): Promise<void> {
  const run = <Row>(statement: Statement<Row>) => rowsOn(client, statement);
  const tokens = tables.deleteFrom('one_time_token');
  await run(built(tokens.where('user_id', '=', anyOf(addresses))));
  await run(built(tokens.where('user_id', '=', anyOf(passwords)).where('purpose', '=', 'reset_password')));
  const ended = { ended_at: now, end_reason: 'password_changed' };
  await run(built(tables.updateTable('session').set(ended).where('user_id', '=', anyOf(passwords)).where(isLiving)));
  if (passwords.length === 0) return;
  const nobody = { ip: null, userAgent: null, requestId: null };
  await run(auditSql(nobody, { action: 'password.changed', detail: { by: 'import' } }, passwords));
  const calendars = tables.deleteFrom('calendar_feed').where('user_id', '=', anyOf(passwords)).returning('user_id');
  const withoutCalendar = (await run(built(calendars))).map((row) => row.user_id);
  if (withoutCalendar.length > 0)
    await run(auditSql(nobody, { action: 'calendar.ended', detail: { by: 'import' } }, withoutCalendar));
}
