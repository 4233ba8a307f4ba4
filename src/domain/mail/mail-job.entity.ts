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
    /** The input for composing the mail when it is sent. Never a password, token or link: those are created then. */
    data: p.json<Record<string, unknown>>(),
    /** The subscription that it is about. */
    about: p.uuid().nullable().generated(`(("data"->>'subscriptionId')::uuid) stored`),
    /** Orders the mails about one subscription as its changes were committed: the lock on its event is held by then. */
    position: p.bigint().autoincrement(),
    /** Whether it waits for an earlier one about the same subscription; then it is due at the latest when that is. */
    held: p.boolean().default(false),
    /** The number of attempts to send it. */
    attempts: p.integer().default(0),
    /** When it may be sent next, in the future while a process is sending it; null if sending was given up. */
    dueAt: p.datetime(3).nullable().defaultRaw('now()'),
    /** Why the last attempt failed. */
    error: p.string().length(400).nullable(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
  indexes: [
    { name: 'mail_job_due_at_index', properties: ['dueAt'] },
    { name: 'mail_job_about_index', properties: ['about', 'position'] },
    {
      name: 'mail_job_first_index',
      expression: 'create index "mail_job_first_index" on "mail_job" ("due_at") where "about" is null',
    },
    {
      name: 'mail_job_given_up_index',
      expression: 'create index "mail_job_given_up_index" on "mail_job" ("created_at") where "due_at" is null',
    },
  ],
});

/** A mail to be sent; the row is deleted afterwards (docs/decisions/0009). */
export class MailJob extends MailJobSchema.class {}
MailJobSchema.setClass(MailJob);
