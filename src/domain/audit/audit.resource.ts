import { field, type ListResource } from '../list/resource.ts';

/** One line of the audit trail as owners read it: who did what to whom, when, from where, in which request. */
export interface AuditRow {
  id: string;
  action: string;
  actor_id: string | null;
  subject_id: string | null;
  detail: Record<string, unknown> | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  created_at: string;
}

/** What can be asked of the audit trail of an organization. */
export const auditResource: ListResource<keyof AuditRow> = {
  name: 'audit_entry',
  table: 'audit_entry',
  order: 'created_at',
  fields: {
    id: field.id('AuditEntry', 'Identifier of the entry.'),
    action: field.text('What was done, as `session.started`.', { filter: true }),
    actor_id: field.id('User', 'Who did it; null where nobody was signed in.', { nullable: true }),
    subject_id: field.id('User', 'Whose account, session or membership it concerns.', { nullable: true }),
    detail: field.json('Further facts; never a password or token.', { nullable: true }),
    ip: field.text('From which address.', { nullable: true }),
    user_agent: field.text('What the client said that it is.', { nullable: true }),
    request_id: field.text('The `x-request-id` of the answer.', { nullable: true }),
    created_at: field.timestamp('When it was done.'),
  },
};
