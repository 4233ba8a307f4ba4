import { defineEntity, p } from '@mikro-orm/core';
import { mailboxOf } from '#input-values';
import { created_at, id, timestamp, updated_at } from '../../engine/columns.ts';

export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'user',
  properties: {
    id: id(),
    /** As the person wrote it, for mails. Null if nobody can sign in with one. */
    email: p.string().length(320).strictNullable(),
    /** Normalized, to compare addresses; not a valid address if another account has it. Null without an address. */
    mailbox: p
      .string()
      .length(400)
      .$type<string | null>()
      .strictNullable()
      .hidden()
      .onCreate(({ email }: { email: string | null }) => (email === null ? null : mailboxOf(email))),
    name: p.string().length(200),
    avatar_url: p.string().length(2048).strictNullable(),
    /** argon2id in PHC string form; null if the person must reset the password first. */
    password_hash: p.text().strictNullable().hidden(),
    /** If null, sign-in is refused with USER_NOT_VERIFIED. */
    verified_at: timestamp().strictNullable(),
    created_at: created_at(),
    updated_at: updated_at(),
  },
  indexes: [
    {
      name: 'user_name_trigram_index',
      expression: 'create index "user_name_trigram_index" on "user" using gin (lower("name") gin_trgm_ops)',
    },
    {
      name: 'user_name_gram_index',
      expression: 'create index "user_name_gram_index" on "user" using gin (name_grams("name"))',
    },
    { name: 'user_mailbox_unique', expression: 'create unique index "user_mailbox_unique" on "user" ("mailbox")' },
  ],
});

/** A person, who can belong to any number of organizations, or an API key, which has no address. */
export class User extends UserSchema.class {}
UserSchema.setClass(User);
