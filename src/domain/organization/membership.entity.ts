import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id } from '../../engine/columns.ts';
import { organizationRoles } from '../../kernel/request.ts';
import { User } from '../user/user.entity.ts';
import { Organization } from './organization.entity.ts';

export const MembershipSchema = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    id: id(),
    organization_id: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(false),
    user_id: () => p.manyToOne(User).mapToPk().deleteRule('cascade').index(),
    role: p.enum(organizationRoles),
    /** Whether the trail may contain shared entries of the user (note 0024). */
    shares_trail: p.boolean().default(false).hidden(),
    created_at: created_at(),
  },
  uniques: [{ properties: ['organization_id', 'user_id'] }],
  indexes: [
    { properties: ['organization_id', 'created_at', 'id'] },
    { name: 'membership_shares_trail_index', properties: ['organization_id', 'user_id'], where: '"shares_trail"' },
  ],
});

export class Membership extends MembershipSchema.class {}
MembershipSchema.setClass(Membership);
