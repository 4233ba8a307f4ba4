import { type AuditRow, auditResource } from '../domain/audit/audit.resource.ts';
import { countAudit, listAudit } from '../domain/audit/audit-trail.ts';
import { builder } from './builder.ts';
import { connectionType, pageArguments } from './connection.ts';
import { pageOfNodes } from './cost.ts';
import { column, nodeFields } from './node-fields.ts';
import { Organization } from './organization.ts';
import { contextOf, ownConnection } from './own-connection.ts';
import { whereInput } from './where.ts';

const AuditEntry = builder.objectRef<AuditRow>('AuditEntry');

AuditEntry.implement({
  description: 'One line of the audit trail: who did what, when, from where.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...nodeFields(t, 'AuditEntry'),
    action: t.exposeString('action', column(auditResource, 'action')),
    actorId: t.exposeID('actor_id', { ...column(auditResource, 'actor_id'), nullable: true }),
    subjectId: t.exposeID('subject_id', { ...column(auditResource, 'subject_id'), nullable: true }),
    detail: t.expose('detail', { ...column(auditResource, 'detail'), type: 'JSON', nullable: true }),
    ip: t.exposeString('ip', { ...column(auditResource, 'ip'), nullable: true }),
    userAgent: t.exposeString('user_agent', { ...column(auditResource, 'user_agent'), nullable: true }),
    requestId: t.exposeString('request_id', { ...column(auditResource, 'request_id'), nullable: true }),
    createdAt: t.expose('created_at', { ...column(auditResource, 'created_at'), type: 'DateTime' }),
  }),
});

const AuditEntryConnection = connectionType(AuditEntry, 'audit entries');
const AuditEntryWhere = whereInput('AuditEntryWhere', auditResource);

builder.objectField(Organization, 'auditEntries', (t) =>
  t.field({
    type: AuditEntryConnection,
    nullable: true,
    description: 'What was done in it and by its members, oldest first; for owners.',
    args: {
      where: t.arg({ type: AuditEntryWhere, description: 'Only entries for which this holds.' }),
      ...pageArguments,
    },
    extensions: { cost: pageOfNodes },
    resolve: (organization, args, ctx, info) => {
      const member = contextOf(ctx, organization);
      return ownConnection(info, auditResource, args, {
        list: (input) => listAudit(member, input),
        count: (where, max) => countAudit(member, where, max),
      });
    },
  }),
);
