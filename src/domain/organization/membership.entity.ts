import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { organizationRoles } from '../../kernel/roles.ts';
import { User } from '../user/user.entity.ts';
import { Organization } from './organization.entity.ts';

const MembershipSchema = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    organization: () => p.manyToOne(Organization).ref().deleteRule('cascade').index(false),
    user: () => p.manyToOne(User).ref().deleteRule('cascade').index('membership_user_id_index'),
    role: p.enum(organizationRoles),
    /** Whether the trail may contain shared entries of the user (docs/decisions/0024). */
    sharesTrail: p.boolean().default(false).hidden(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
  uniques: [{ name: 'membership_organization_id_user_id_unique', properties: ['organization', 'user'] }],
  indexes: [
    { name: 'membership_organization_id_created_at_id_index', properties: ['organization', 'createdAt', 'id'] },
    {
      name: 'membership_shares_trail_index',
      expression:
        'create index "membership_shares_trail_index" on "membership" ("organization_id", "user_id") where "shares_trail"',
    },
  ],
});

/** The role of one user in one organization; the pair is unique. */
export class Membership extends MembershipSchema.class {}
MembershipSchema.setClass(Membership);
