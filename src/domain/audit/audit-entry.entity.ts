import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    /** Where the entry belongs; null for what concerns a person who belonged to no organization. */
    organizationId: p.uuid().nullable(),
    /** Who did it; null where nobody was signed in. */
    actorId: p.uuid().nullable(),
    /** Whose account, session or membership it concerns. */
    subjectId: p.uuid().nullable(),
    action: p.string().length(60),
    /** Further facts; never a password, token, cookie or link. */
    detail: p.json<Record<string, unknown>>().nullable(),
    ip: p.string().length(64).nullable(),
    userAgent: p.string().length(400).nullable(),
    requestId: p.string().length(64).nullable(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
  indexes: [
    { name: 'audit_entry_organization_id_created_at_index', properties: ['organizationId', 'createdAt', 'id'] },
    { name: 'audit_entry_action_created_at_index', properties: ['organizationId', 'action', 'createdAt', 'id'] },
    { name: 'audit_entry_actor_id_created_at_index', properties: ['organizationId', 'actorId', 'createdAt', 'id'] },
    { name: 'audit_entry_subject_id_created_at_index', properties: ['organizationId', 'subjectId', 'createdAt', 'id'] },
  ],
});

/** One line of the audit trail: who did what, when, from where. */
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
