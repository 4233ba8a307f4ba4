import { defineEntity, p } from '@mikro-orm/core';
import { mailboxOf } from '#input-values';
import { created_at, id, timestamp } from '../../engine/columns.ts';
import { organizationRoles } from '../../kernel/request.ts';
import { Organization } from '../organization/organization.entity.ts';
import { User } from '../user/user.entity.ts';

export const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    id: id(),
    organization_id: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(false),
    email: p.string().length(320),
    /** Normalized, to compare addresses. */
    mailbox: p
      .string()
      .length(400)
      .hidden()
      .onCreate((invitation: { email: string }) => mailboxOf(invitation.email)),
    role: p.enum(organizationRoles),
    /** SHA-256 of the token, base64url; null until the mail is sent, which creates the token. */
    hash: p.string().length(43).strictNullable().unique().hidden(),
    /** Whose role must allow the invitation; null, which ends it, if the account is gone. */
    inviter_id: () => p.manyToOne(User).mapToPk().strictNullable().deleteRule('set null').index(),
    created_at: created_at(),
    expires_at: timestamp().index(),
    mailed_at: timestamp().strictNullable(),
  },
  indexes: [
    // one per address and organization: a newer one replaces the older
    {
      name: 'invitation_organization_id_mailbox_unique',
      expression:
        'create unique index "invitation_organization_id_mailbox_unique" on "invitation" ("organization_id", "mailbox")',
    },
    { properties: ['organization_id', 'created_at', 'id'] },
  ],
});

/** Deleted when accepted or ended, and recorded in the audit trail. */
export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation);
