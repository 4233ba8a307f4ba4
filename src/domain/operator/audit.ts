import type { Context } from '../../engine/context.ts';
import { tables } from '../tables/tables.ts';
import { ifGiven, type OperatorPage, operatorPage } from './page.ts';

const entries = tables
  .selectFrom('audit_entry')
  .select(['id', 'created_at', 'action', 'organization_id', 'actor_id', 'subject_id', 'detail', 'ip', 'request_id']);

export async function listAuditEntries(
  { db }: Context,
  { requestId, organizationId }: { requestId: string | null; organizationId: string | null },
  page: OperatorPage,
) {
  const found = entries
    .where((eb) => ifGiven(requestId, (id) => eb('request_id', '=', id)))
    .where((eb) => ifGiven(organizationId, (id) => eb('organization_id', '=', id)));
  return await db.rows(operatorPage(found, 'id', page));
}
