import { type AuditRow, auditResource } from '../../domain/audit/audit.resource.ts';
import { subjectNoun } from '../../domain/audit/audit-actions.ts';
import { auditTrail } from '../../domain/audit/audit-trail.ts';
import { resourceNode } from '../relay/resource-node.ts';
import { ApiKeyRef } from './api-key.ts';
import { EventRef } from './event.ts';
import { organizationList } from './organization-list.ts';
import { actorField, UserRef } from './user.ts';
import { WebhookRef } from './webhook.ts';

const subjects = { event: EventRef, api_key: ApiKeyRef, webhook: WebhookRef, user: UserRef };

const AuditEntry = resourceNode<AuditRow>('AuditEntry', {
  description: 'An entry of the audit trail: who did what, when, and from where.',
  resource: auditResource,
  loader: auditTrail.loader,
  fields: (t) => ({
    actor: actorField(t),
    subject: t.node({
      description: 'The subject; null if it is gone. Of an entry about a form, it is the event.',
      extensions: { columns: ['action', 'subject_id'], cost: 1 },
      id: ({ action, subject_id: id }) => id && { type: subjects[subjectNoun(action)], id },
    }),
  }),
});

organizationList('auditEntries', {
  type: AuditEntry,
  items: 'audit entries',
  description: 'The audit trail of the organization and its members, oldest first; for owners.',
  list: auditTrail,
});
