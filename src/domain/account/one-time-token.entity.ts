import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { Organization } from '../organization/organization.entity.ts';
import { User } from '../user/user.entity.ts';

export const tokenPurposes = ['verify_email', 'reset_password'] as const;
/** What a one-time token can be used for, and for nothing else. */
export type TokenPurpose = (typeof tokenPurposes)[number];

const OneTimeTokenSchema = defineEntity({
  name: 'OneTimeToken',
  tableName: 'one_time_token',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    user: () => p.manyToOne(User).ref().deleteRule('cascade').index(false),
    purpose: p.enum(tokenPurposes),
    /** SHA-256 of the token, base64url: nothing in the row can be used. */
    hash: p.string().length(43).unique('one_time_token_hash_unique').hidden(),
    /** What the user joins by using it; null where nothing. */
    organization: () =>
      p.manyToOne(Organization).ref().nullable().deleteRule('cascade').index('one_time_token_organization_id_index'),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
    expiresAt: p.datetime(3).index('one_time_token_expires_at_index'),
  },
  // one a user and purpose: a newer one takes the place of the older
  uniques: [{ name: 'one_time_token_user_id_purpose_unique', properties: ['user', 'purpose'] }],
});

/** A token that was mailed and not used yet; its use removes it. */
export class OneTimeToken extends OneTimeTokenSchema.class {}
OneTimeTokenSchema.setClass(OneTimeToken);
