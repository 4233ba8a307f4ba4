import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../engine/columns.ts';
import { mailboxOf } from '../../kernel/input/email-address.ts';
import { organizationRoles } from '../../kernel/request.ts';
import { Organization } from '../organization/organization.entity.ts';
import { User } from '../user/user.entity.ts';

export const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    id: id(),
    organization_id: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(false),
    /** The invited address, with or without an account. */
    email: p.string().length(320),
    /** Normalized, to tell whether two addresses are the same. */
    mailbox: p
      .string()
      .length(400)
      .hidden()
      .onCreate((invitation: { email: string }) => mailboxOf(invitation.email)),
    role: p.enum(organizationRoles),
    /** SHA-256 of the token, base64url; null until the mail is sent, when the token is created. */
    hash: p.string().length(43).strictNullable().unique('invitation_hash_unique').hidden(),
    /** The inviter, whose role must allow the invitation; null if the account is gone, which ends the invitation. */
    inviter_id: () =>
      p.manyToOne(User).mapToPk().strictNullable().deleteRule('set null').index('invitation_inviter_id_index'),
    created_at: created_at(),
    expires_at: timestamp().index('invitation_expires_at_index'),
    /** When its mail was sent; null until then. */
    mailed_at: timestamp().strictNullable(),
  },
  indexes: [
    // one per address and organization: a newer one replaces the older
    {
      name: 'invitation_organization_id_mailbox_unique',
      expression:
        'create unique index "invitation_organization_id_mailbox_unique" on "invitation" ("organization_id", "mailbox")',
    },
    { name: 'invitation_organization_id_created_at_id_index', properties: ['organization_id', 'created_at', 'id'] },
  ],
});

/** An invitation of an address. It is deleted when accepted or ended, and recorded in the audit trail. */
export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation);
