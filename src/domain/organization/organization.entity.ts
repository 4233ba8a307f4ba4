import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

export const signupPolicies = ['open', 'invite'] as const;
/** Who may join an organization by sign-up: anyone, or only people with an invitation (decisions §1). */
export type SignupPolicy = (typeof signupPolicies)[number];

const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organization',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    name: p.string().length(200),
    slug: p.string().length(200).unique('organization_slug_unique'),
    signup: p
      .enum(signupPolicies)
      .default('open')
      .onCreate(() => 'open' as const),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
  indexes: [{ name: 'organization_created_at_id_index', properties: ['createdAt', 'id'] }],
});

/** The tenant: every event, membership and audit entry belongs to one. */
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
