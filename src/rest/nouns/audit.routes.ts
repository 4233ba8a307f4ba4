import { auditResource } from '../../domain/audit/audit.resource.ts';
import { auditTrail } from '../../domain/audit/audit-trail.ts';
import { listRoutes } from '../server/list.routes.ts';
import { viewOf } from '../server/list.schema.ts';
import { tagged } from '../server/route.ts';

export const auditRoutes = tagged(
  'audit',
  listRoutes('audit', 'AuditEntries', {
    ...auditTrail,
    view: viewOf(auditResource, 'AuditEntry'),
    summary: "Lists the organization's audit trail, oldest first; for owners.",
  }),
);
