import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id } from '../../engine/columns.ts';

export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: id(),
    /** Null if it concerns a person who belonged to none or to several. */
    organization_id: p.uuid().strictNullable(),
    /** The person whose organizations at the time share the entry; null if it is not shared. */
    person_id: p.uuid().strictNullable(),
    /** Null if nobody was signed in. */
    actor_id: p.uuid().strictNullable(),
    /** The user or other row of the organization that the entry is about. */
    subject_id: p.uuid().strictNullable(),
    action: p.string().length(60),
    /** Never a password, token, cookie or link. */
    detail: p.json<Record<string, unknown>>().strictNullable(),
    ip: p.string().length(64).strictNullable(),
    user_agent: p.string().length(400).strictNullable(),
    request_id: p.string().length(64).strictNullable(),
    created_at: created_at().index(),
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
    { properties: ['request_id'] },
    // the addresses of invited people are erased with them
    {
      name: 'audit_entry_email_index',
      expression: `create index "audit_entry_email_index" on "audit_entry" (lower("detail"->>'email')) where "detail" ? 'email'`,
    },
    {
      name: 'audit_entry_person_id_created_at_index',
      properties: ['person_id', 'created_at', 'id'],
      include: ['action', 'actor_id', 'subject_id'],
      where: '"person_id" is not null',
    },
  ],
});
