import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { mailboxOf } from '../../kernel/input/email-address.ts';

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'user',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    /** As the person wrote it; mails go there. */
    email: p.string().length(320),
    /** Says when two addresses are one; a text that nobody can type if another account has the address. */
    mailbox: p
      .string()
      .length(400)
      .hidden()
      .onCreate((user: { email: string }) => mailboxOf(user.email)),
    name: p.string().length(200),
    avatarUrl: p.string().length(2048).nullable(),
    /** argon2id in PHC string form; null if the person must reset the password first. */
    passwordHash: p.text().nullable().hidden(),
    /** When the address was verified; null refuses sign-in with USER_NOT_VERIFIED. */
    verifiedAt: p.datetime(3).nullable(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
  },
  indexes: [
    { name: 'user_mailbox_unique', expression: 'create unique index "user_mailbox_unique" on "user" ("mailbox")' },
  ],
});

/** A person, who can belong to any number of organizations. */
export class User extends UserSchema.class {}
UserSchema.setClass(User);
