import type { ListResource } from '../../engine/list/resource.ts';
import { keyAccesses } from '../../kernel/request.ts';
import { field } from '../nouns/nouns.ts';
import type { User } from '../user/user.entity.ts';
import { type ApiKey, keyRoles } from './api-key.entity.ts';

const fields = {
  id: field.id('api_key', 'Identifier of the key, and of its user.'),
  name: field.search('Name, 1 to 100 characters.'),
  role: field.choice(keyRoles, 'The role of the key in the organization.'),
  access: field.choice(keyAccesses, 'Whether the key only reads, or also writes.'),
  webhooks: field.flag('Whether the key may read and run webhooks, whatever its role.'),
  prefix: field.text('The first 12 characters of the secret.'),
  created_by: field.id('user', 'The user who created the key.', { filter: false }),
  created_at: field.timestamp('When the key was created.'),
  updated_at: field.timestamp('When its name was last changed.'),
  expires_at: field.timestamp('When the key expires; null for never.', { nullable: true, filter: false }),
  last_used_at: field.timestamp('When the key was last used, exact to a minute; null for never.', {
    nullable: true,
    filter: false,
  }),
};

/** A key as owners see it; its name and `updated_at` are those of its user. */
export type ApiKeyRow = Pick<ApiKey, Exclude<keyof typeof fields, 'name' | 'updated_at'>> &
  Pick<User, 'name' | 'updated_at'>;

export const apiKeyResource: ListResource<keyof ApiKeyRow> = {
  name: 'api_key',
  table: 'api_key',
  order: 'created_at',
  fields,
};
