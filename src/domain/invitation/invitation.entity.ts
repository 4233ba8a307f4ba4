import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { organizationRoles } from '../organization/membership.entity.ts';
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
    /** The address that is invited; whether anybody has an account with it is no matter. */
    email: p.string().length(320),
    role: p.enum(organizationRoles),
    /** SHA-256 of the token, base64url; null until the mail leaves, when the token is made. */
    hash: p.string().length(43).nullable().unique('invitation_hash_unique').hidden(),
    /** Who invited; null where that account is gone. */
    inviter: () => p.manyToOne(User).ref().nullable().deleteRule('set null').index('invitation_inviter_id_index'),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
    expiresAt: p.datetime(3),
  },
  indexes: [
    // one an address and organization: a newer one takes the place of the older
    {
      name: 'invitation_organization_id_email_unique',
      expression:
        'create unique index "invitation_organization_id_email_unique" on "invitation" ("organization_id", lower("email"))',
    },
    { name: 'invitation_organization_id_created_at_id_index', properties: ['organization', 'createdAt', 'id'] },
  ],
});

/** An address that may join an organization; its acceptance or end removes it, and the audit trail keeps it. */
export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation);
