import { type AuditRow, auditResource } from '../../domain/audit/audit.resource.ts';
import { auditTrail } from '../../domain/audit/audit-trail.ts';
import { listRoutes } from '../server/list.routes.ts';
import { auditEntrySchema } from '../server/resource.schemas.ts';
import type { Route } from '../server/route.ts';

/** The audit trail; for owners. */
export const auditRoutes: Route[] = listRoutes<'organization', AuditRow>({
  path: '/audit',
  name: 'AuditEntries',
  read: 'auditEntries',
  summary: "Lists the organization's audit trail, oldest first; for owners.",
  tag: 'audit',
  access: 'organization',
  projection: { resource: auditResource, relations: [] },
  item: auditEntrySchema,
  ...auditTrail,
});
