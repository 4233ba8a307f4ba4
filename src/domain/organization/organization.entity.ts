import { defineEntity, p } from '@mikro-orm/core';
import { longestAddress, longestWebAddress } from '#input-values';
import { created_at, id, timestamp } from '../../engine/columns.ts';

export const signupPolicies = ['open', 'invite'] as const;
/** Who may join by sign-up: anyone, or only people with an invitation (reference/organizations.md#organization). */
export type SignupPolicy = (typeof signupPolicies)[number];

export const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organization',
  properties: {
    id: id(),
    name: p.string().length(200),
    slug: p.string().length(200).unique(),
    signup: p
      .enum(signupPolicies)
      .default('open')
      .onCreate(() => 'open' as const),
    /** Markdown. This and the fields below are for the public pages. */
    description: p.text().strictNullable(),
    website: p.string().length(longestWebAddress).strictNullable(),
    contact_email: p.string().length(longestAddress).strictNullable(),
    accent: p.string().length(7).strictNullable(),
    /** Increases by one with each write (reference/writes.md#versions). */
    version: p.integer().default(1),
    /** The mailbox that pays for it (note 0056), even after a change of owner; null for imported ones. */
    maker_id: p.uuid().strictNullable().hidden(),
    created_at: created_at(),
    /** Since when it is being deleted, in steps, and invisible. Null otherwise. */
    deleted_at: timestamp().strictNullable().hidden(),
  },
  indexes: [
    { properties: ['created_at', 'id'] },
    { properties: ['maker_id', 'created_at'] },
    { properties: ['deleted_at'], where: '"deleted_at" is not null' },
  ],
});

/** The tenant: every event, membership and audit entry belongs to one. */
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
