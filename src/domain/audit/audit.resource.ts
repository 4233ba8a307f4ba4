import type { ListResource } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';

/** An entry of the audit trail as owners see it. */
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

/** The fields of audit entries, and how each can be queried. */
export const auditResource: ListResource<keyof AuditRow> = {
  name: 'audit_entry',
  table: 'audit_entry',
  order: 'created_at',
  fields: {
    id: field.id('audit_entry', 'Identifier of the entry.'),
    action: field.text('The action, for example `session.started`.', { filter: true }),
    actor_id: field.id('user', 'The user who did it; null if nobody was signed in.', { nullable: true }),
    subject_id: field.anyId(
      'The subject of the entry: the user whose account, session or membership it concerns, or the event, form (the id is that of its event), subscription, API key or webhook.',
      { nullable: true },
    ),
    detail: field.json('Further details; never a password or token.', { nullable: true }),
    ip: field.text('The IP address of the client.', { nullable: true }),
    user_agent: field.text('The `User-Agent` header of the client.', { nullable: true }),
    request_id: field.text('The `x-request-id` of the response.', { nullable: true, filter: true }),
    created_at: field.timestamp('When it happened.'),
  },
};
