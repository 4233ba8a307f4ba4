import { type AuditRow, auditResource } from '../domain/audit/audit.resource.ts';
import { countAudit, listAudit } from '../domain/audit/audit-trail.ts';
import { listRoutes } from './list.routes.ts';
import { auditEntrySchema } from './resource.schemas.ts';
import type { Route } from './route.ts';

/** Who did what; for owners. */
export const auditRoutes: Route[] = listRoutes<'organization', AuditRow>({
  path: '/audit',
  name: 'AuditEntries',
  listName: 'AuditEntryList',
  summary: "Lists the organization's audit trail, oldest first; for owners.",
  tag: 'audit',
  access: 'organization',
  role: 'owner',
  projection: { resource: auditResource, relations: [] },
  item: auditEntrySchema,
  list: listAudit,
  count: countAudit,
});
