import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../engine/columns.ts';
import { Organization } from '../organization/organization.entity.ts';
import { User } from '../user/user.entity.ts';

const tokenPurposes = ['verify_email', 'reset_password'] as const;
export type TokenPurpose = (typeof tokenPurposes)[number];

/** A mailed token that has not been used yet; using it deletes the row. */
export const OneTimeToken = defineEntity({
  name: 'OneTimeToken',
  tableName: 'one_time_token',
  properties: {
    id: id(),
    user_id: () => p.manyToOne(User).mapToPk().deleteRule('cascade').index(false),
    purpose: p.enum(tokenPurposes),
    /** SHA-256, base64url: the row does not reveal the token. */
    hash: p.string().length(43).unique().hidden(),
    name: p.string().length(200).nullable(),
    organization_id: () => p.manyToOne(Organization).mapToPk().nullable().deleteRule('cascade').index(),
    organization_name: p.string().length(200).nullable(),
    created_at: created_at(),
    expires_at: timestamp().index(),
  },
  // one per user and purpose: a newer one replaces the older
  uniques: [{ properties: ['user_id', 'purpose'] }],
});
