import { defineEntity, p } from '@mikro-orm/core';
import { id, timestamp } from '../../engine/columns.ts';
import { Organization } from './organization.entity.ts';

/** A past membership, written by a trigger; it decides which audit entries an organization can read. */
export const FormerMembership = defineEntity({
  name: 'FormerMembership',
  tableName: 'former_membership',
  properties: {
    id: id(),
    organization_id: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(false),
    /** No foreign key: the trail outlives an account. */
    user_id: p.uuid(),
    began_at: timestamp(),
    ended_at: timestamp().index(),
  },
  indexes: [{ properties: ['organization_id', 'user_id'] }],
});
