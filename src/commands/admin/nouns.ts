import { audit, keys, sessions } from './credentials.ts';
import { database } from './database.ts';
import { organizations } from './organizations.ts';
import { users } from './users.ts';
import type { Noun } from './verb.ts';
import { webhooks } from './webhooks.ts';

export const nouns: Readonly<Record<string, Noun>> = {
  users,
  organizations,
  sessions,
  keys,
  audit,
  webhooks,
  database,
};
