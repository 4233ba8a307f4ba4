import { audit, keys, sessions } from './credentials.ts';
import { databaseNoun } from './database.ts';
import { organizations } from './organizations.ts';
import { users } from './users.ts';
import type { AdminNoun } from './verb.ts';
import { webhooksNoun } from './webhooks.ts';

export const nouns: Readonly<Record<string, AdminNoun>> = {
  users,
  organizations,
  sessions,
  keys,
  audit,
  webhooks: webhooksNoun,
  database: databaseNoun,
};
