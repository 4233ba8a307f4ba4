import type { InferEntity } from '@mikro-orm/core';
import type { ListResource } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import { type AuditAction, auditActions } from './audit-actions.ts';
import type { AuditEntry } from './audit-entry.table.ts';

const fields = {
  id: field.id('audit_entry', 'Identifier of the entry.'),
  action: field.choice(auditActions, 'What was done, for example `session.started`.'),
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
};

export type AuditRow = Omit<Pick<InferEntity<typeof AuditEntry>, keyof typeof fields>, 'action'> & {
  action: AuditAction;
};

export const auditResource: ListResource<keyof AuditRow> = {
  name: 'audit_entry',
  table: 'audit_entry',
  order: 'created_at',
  fields,
};
