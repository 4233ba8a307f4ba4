import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { Organization } from './organization.entity.ts';

const FormerMembershipSchema = defineEntity({
  name: 'FormerMembership',
  tableName: 'former_membership',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    organization: () => p.manyToOne(Organization).ref().deleteRule('cascade').index(false),
    /** The former member; the trail outlives an account. */
    userId: p.uuid(),
    beganAt: p.datetime(3),
    endedAt: p.datetime(3).index('former_membership_ended_at_index'),
  },
  indexes: [{ name: 'former_membership_organization_id_user_id_index', properties: ['organization', 'userId'] }],
});

/** A past period of membership, written by a trigger; it decides which audit entries an organization can read. */
export class FormerMembership extends FormerMembershipSchema.class {}
FormerMembershipSchema.setClass(FormerMembership);
