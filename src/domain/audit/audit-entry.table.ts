import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id } from '../../engine/columns.ts';

/** An entry of the audit trail: who did what, when, and from where. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: id(),
    /** The organization of the entry; null if it concerns a person who belonged to none or to several. */
    organization_id: p.uuid().nullable(),
    /** The person whose organizations at the time share the entry, if there were several; null otherwise. */
    person_id: p.uuid().nullable(),
    /** The user who did it; null if nobody was signed in. */
    actor_id: p.uuid().nullable(),
    /** The user whose account, session or membership it concerns, or another row of the organization. */
    subject_id: p.uuid().nullable(),
    action: p.string().length(60),
    /** Further details; never a password, token, cookie or link. */
    detail: p.json<Record<string, unknown>>().nullable(),
    ip: p.string().length(64).nullable(),
    user_agent: p.string().length(400).nullable(),
    request_id: p.string().length(64).nullable(),
    created_at: created_at().index('audit_entry_created_at_index'),
  },
  // by organization, or else by person (note 0024)
  indexes: [
    { name: 'audit_entry_organization_id_created_at_index', properties: ['organization_id', 'created_at', 'id'] },
    { name: 'audit_entry_action_created_at_index', properties: ['organization_id', 'action', 'created_at', 'id'] },
    { name: 'audit_entry_actor_id_created_at_index', properties: ['organization_id', 'actor_id', 'created_at', 'id'] },
    {
      name: 'audit_entry_subject_id_created_at_index',
      properties: ['organization_id', 'subject_id', 'created_at', 'id'],
    },
    { name: 'audit_entry_request_id_index', properties: ['request_id'] },
    // of people who were invited, whose addresses are erased with them
    {
      name: 'audit_entry_email_index',
      expression: `create index "audit_entry_email_index" on "audit_entry" (lower("detail"->>'email')) where "detail" ? 'email'`,
    },
    {
      name: 'audit_entry_person_id_created_at_index',
      expression:
        'create index "audit_entry_person_id_created_at_index" on "audit_entry" ("person_id", "created_at", "id") include ("action", "actor_id", "subject_id") where "person_id" is not null',
    },
  ],
});
