import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { ifGiven, type OperatorPage, operatorPageSql } from './page.ts';

/** The trails of all organizations, and what belongs to none; of one request or organization if given. */
export async function listAuditEntries(
  { db }: Context,
  { requestId, organizationId }: { requestId: string | null; organizationId: string | null },
  page: OperatorPage,
): Promise<Record<string, unknown>[]> {
  const itsOwn = ifGiven(requestId, (id) => sql`t.request_id = ${id}`);
  const theirs = ifGiven(organizationId, (id) => sql`t.organization_id = ${id}::uuid`);
  return await db.rows(sql`select t.id, t.created_at, t.action, t.organization_id, t.actor_id, t.subject_id, t.detail, t.ip, t.request_id
    from audit_entry t ${operatorPageSql(sql`${itsOwn} and ${theirs}`, page)}`);
}
