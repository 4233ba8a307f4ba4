import { type AuditRow, auditResource } from '../../domain/audit/audit.resource.ts';
import { auditTrail } from '../../domain/audit/audit-trail.ts';
import { resourceNode } from '../relay/resource-node.ts';
import { organizationList } from './organization-list.ts';
import { actorField } from './user.ts';

const AuditEntry = resourceNode<AuditRow>('AuditEntry', {
  description: 'An entry of the audit trail: who did what, when, and from where.',
  resource: auditResource,
  loader: auditTrail.loader,
  fields: (t) => ({
    actor: actorField(t),
  }),
});

organizationList('auditEntries', {
  type: AuditEntry,
  items: 'audit entries',
  description: 'The audit trail of the organization and its members, oldest first; for owners.',
  resource: auditResource,
  list: auditTrail,
});
