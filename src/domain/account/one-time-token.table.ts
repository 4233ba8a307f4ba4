import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../engine/columns.ts';
import { Organization } from '../organization/organization.entity.ts';
import { User } from '../user/user.entity.ts';

const tokenPurposes = ['verify_email', 'reset_password'] as const;
/** The only use of a one-time token. */
export type TokenPurpose = (typeof tokenPurposes)[number];

/** A mailed token that has not been used yet; using it deletes the row. */
export const OneTimeToken = defineEntity({
  name: 'OneTimeToken',
  tableName: 'one_time_token',
  properties: {
    id: id(),
    user_id: () => p.manyToOne(User).mapToPk().deleteRule('cascade').index(false),
    purpose: p.enum(tokenPurposes),
    /** SHA-256 of the token, base64url: the row does not reveal the token. */
    hash: p.string().length(43).unique('one_time_token_hash_unique').hidden(),
    /** The account's new name and the organization to join or create when the token is used; each may be null. */
    name: p.string().length(200).nullable(),
    organization_id: () =>
      p
        .manyToOne(Organization)
        .mapToPk()
        .nullable()
        .deleteRule('cascade')
        .index('one_time_token_organization_id_index'),
    organization_name: p.string().length(200).nullable(),
    created_at: created_at(),
    expires_at: timestamp().index('one_time_token_expires_at_index'),
  },
  // one per user and purpose: a newer one replaces the older
  uniques: [{ name: 'one_time_token_user_id_purpose_unique', properties: ['user_id', 'purpose'] }],
});
