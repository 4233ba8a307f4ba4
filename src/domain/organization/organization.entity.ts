import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id } from '../../kernel/columns.ts';

export const signupPolicies = ['open', 'invite'] as const;
/**
 * Who may join an organization by sign-up: anyone, or only people with an invitation
 * (interface/resources.md#organization).
 */
export type SignupPolicy = (typeof signupPolicies)[number];

const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organization',
  properties: {
    id: id(),
    name: p.string().length(200),
    slug: p.string().length(200).unique('organization_slug_unique'),
    signup: p
      .enum(signupPolicies)
      .default('open')
      .onCreate(() => 'open' as const),
    created_at: created_at(),
  },
  indexes: [{ name: 'organization_created_at_id_index', properties: ['created_at', 'id'] }],
});

/** The tenant: every event, membership and audit entry belongs to one. */
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
