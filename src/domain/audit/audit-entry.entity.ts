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
    /** The organization of the entry; null if it concerns a person who belonged to none, or to several. */
    organizationId: p.uuid().nullable(),
    /** The person whose organizations of that time share the entry, if they are several; null otherwise. */
    personId: p.uuid().nullable(),
    /** The user who did it; null if nobody was signed in. */
    actorId: p.uuid().nullable(),
    /** The user whose account, session or membership it concerns. */
    subjectId: p.uuid().nullable(),
    action: p.string().length(60),
    /** Further details; never a password, token, cookie or link. */
    detail: p.json<Record<string, unknown>>().nullable(),
    ip: p.string().length(64).nullable(),
    userAgent: p.string().length(400).nullable(),
    requestId: p.string().length(64).nullable(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date())
      .index('audit_entry_created_at_index'),
  },
  // by organization, or else by person (docs/decisions/0024)
  indexes: [
    { name: 'audit_entry_organization_id_created_at_index', properties: ['organizationId', 'createdAt', 'id'] },
    { name: 'audit_entry_action_created_at_index', properties: ['organizationId', 'action', 'createdAt', 'id'] },
    { name: 'audit_entry_actor_id_created_at_index', properties: ['organizationId', 'actorId', 'createdAt', 'id'] },
    { name: 'audit_entry_subject_id_created_at_index', properties: ['organizationId', 'subjectId', 'createdAt', 'id'] },
    {
      name: 'audit_entry_person_id_created_at_index',
      expression:
        'create index "audit_entry_person_id_created_at_index" on "audit_entry" ("person_id", "created_at", "id") include ("action", "actor_id", "subject_id") where "person_id" is not null',
    },
  ],
});

/** An entry of the audit trail: who did what, when, and from where. */
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
