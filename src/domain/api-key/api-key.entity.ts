import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../engine/columns.ts';
import { keyAccesses } from '../../kernel/request.ts';
import { Organization } from '../organization/organization.entity.ts';

/** No owners: such a key would be as powerful as a password, and last longer. */
export const keyRoles = ['member', 'manager'] as const;

export const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    /** Also the id of the key's user, which has its name (note 0057). */
    id: id(),
    organization_id: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(false),
    role: p.enum(keyRoles),
    access: p.enum(keyAccesses),
    webhooks: p.boolean().default(false),
    prefix: p.string().length(12),
    /** SHA-256, base64url. */
    hash: p.string().length(43).unique().hidden(),
    /** The owner who created it. No foreign key: the key outlives the account. */
    created_by: p.uuid(),
    created_at: created_at(),
    expires_at: timestamp().strictNullable(),
    /** Exact to a minute. */
    last_used_at: timestamp().strictNullable(),
    /** The row of an ended key stays, since history names the key. */
    ended_at: timestamp().strictNullable().hidden(),
  },
  indexes: [{ properties: ['organization_id', 'created_at', 'id'] }],
});

/** A key with which a machine signs in, as a separate user with a role in one organization. */
export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
