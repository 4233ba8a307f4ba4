import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

const MailJobSchema = defineEntity({
  name: 'MailJob',
  tableName: 'mail_job',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    kind: p.string().length(40),
    /** What the mail is made from when it leaves. Never a password, token or link: those are made then. */
    data: p.json<Record<string, unknown>>(),
    /** How often its sending was begun. */
    attempts: p.integer().default(0),
    /** When it may be sent next, in the future while somebody sends it; null where it was given up. */
    dueAt: p.datetime(3).nullable().defaultRaw('now()'),
    /** Why the last attempt failed. */
    error: p.string().length(400).nullable(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
  indexes: [{ name: 'mail_job_due_at_index', properties: ['dueAt'] }],
});

/** A mail that has to be sent; its row goes once it was (docs/decisions/0009). */
export class MailJob extends MailJobSchema.class {}
MailJobSchema.setClass(MailJob);
