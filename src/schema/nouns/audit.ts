import { type AuditRow, auditResource } from '../../domain/audit/audit.resource.ts';
import { auditTrail } from '../../domain/audit/audit-trail.ts';
import { builder } from '../builder/builder.ts';
import { resourceFields } from '../relay/node-fields.ts';
import { defineNode } from '../relay/node-types.ts';
import { organizationList } from './organization-list.ts';
import { actorField } from './user.ts';

const AuditEntry = builder.objectRef<AuditRow>('AuditEntry');

defineNode('AuditEntry', {
  organizational: true,
  loader: (ctx, selection) => auditTrail.loader(ctx, selection.columns()),
});

AuditEntry.implement({
  description: 'An entry of the audit trail: who did what, when, and from where.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...resourceFields(t, 'AuditEntry', auditResource),
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
