import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp, updated_at } from '../../kernel/columns.ts';
import { mailboxOf } from '../../kernel/input/email-address.ts';

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'user',
  properties: {
    id: id(),
    /** The address as the person wrote it; mails go there. */
    email: p.string().length(320),
    /**
     * Normalized, to tell whether two addresses are the same; a text that nobody can type if another account has the
     * address.
     */
    mailbox: p
      .string()
      .length(400)
      .hidden()
      .onCreate((user: { email: string }) => mailboxOf(user.email)),
    name: p.string().length(200),
    avatar_url: p.string().length(2048).strictNullable(),
    /** argon2id in PHC string form; null if the person must reset the password first. */
    password_hash: p.text().strictNullable().hidden(),
    /** When the address was verified; if null, sign-in is refused with USER_NOT_VERIFIED. */
    verified_at: timestamp().strictNullable(),
    created_at: created_at(),
    updated_at: updated_at(),
  },
  indexes: [
    { name: 'user_mailbox_unique', expression: 'create unique index "user_mailbox_unique" on "user" ("mailbox")' },
  ],
});

/** A person, who can belong to any number of organizations. */
export class User extends UserSchema.class {}
UserSchema.setClass(User);
