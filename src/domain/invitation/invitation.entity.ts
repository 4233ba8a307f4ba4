import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { mailboxOf } from '../../kernel/input/email-address.ts';
import { organizationRoles } from '../../kernel/roles.ts';
import { Organization } from '../organization/organization.entity.ts';
import { User } from '../user/user.entity.ts';

const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    organization: () => p.manyToOne(Organization).ref().deleteRule('cascade').index(false),
    /** The invited address, with or without an account. */
    email: p.string().length(320),
    /** Says when two addresses are one. */
    mailbox: p
      .string()
      .length(400)
      .hidden()
      .onCreate((invitation: { email: string }) => mailboxOf(invitation.email)),
    role: p.enum(organizationRoles),
    /** SHA-256 of the token, base64url; null until the mail is sent, when the token is created. */
    hash: p.string().length(43).nullable().unique('invitation_hash_unique').hidden(),
    /** The user who invited, whose role must allow it; null if that account is gone, which ends the invitation. */
    inviter: () => p.manyToOne(User).ref().nullable().deleteRule('set null').index('invitation_inviter_id_index'),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
    expiresAt: p.datetime(3).index('invitation_expires_at_index'),
    /** When its mail was sent; null until then. */
    mailedAt: p.datetime(3).nullable(),
  },
  indexes: [
    // one per address and organization: a newer one replaces the older
    {
      name: 'invitation_organization_id_mailbox_unique',
      expression:
        'create unique index "invitation_organization_id_mailbox_unique" on "invitation" ("organization_id", "mailbox")',
    },
    { name: 'invitation_organization_id_created_at_id_index', properties: ['organization', 'createdAt', 'id'] },
  ],
});

/** An invitation of an address; deleted when accepted or ended, and recorded in the audit trail. */
export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation);
