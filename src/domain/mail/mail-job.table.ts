import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../kernel/columns.ts';

/** A mail to be sent; the row is deleted afterwards (note 0009). */
export const MailJob = defineEntity({
  name: 'MailJob',
  tableName: 'mail_job',
  properties: {
    id: id(),
    kind: p.string().length(40),
    /** The input for composing the mail when it is sent. Never a password, token or link: those are created then. */
    data: p.json<Record<string, unknown>>(),
    /** The subscription that it is about, unless it is about several. */
    about: p.uuid().nullable().generated(`(("data"->>'subscriptionId')::uuid) stored`),
    /** The organization whose event it is about: organizations take turns, and have budgets. Null for accounts and invitations. */
    organization_id: p.uuid().nullable(),
    /** The holder of the subscriptions that it is about; null if it goes to somebody who is not proven. */
    recipient: p.uuid().nullable(),
    /** Orders the mails of an organization to one recipient as the changes were committed: the lock on their event is held by then. */
    position: p.bigint().autoincrement(),
    /** Whether it waits for an earlier one to the same recipient; then it is due at the latest when that is. */
    held: p.boolean().default(false),
    /** The number of attempts to send it. */
    attempts: p.integer().default(0),
    /** When it may be sent next, in the future while a process is sending it; null if sending was given up. */
    due_at: timestamp().nullable().defaultRaw('now()'),
    /** Why the last attempt failed. */
    error: p.string().length(400).nullable(),
    created_at: created_at(),
  },
  indexes: [
    {
      name: 'mail_job_link_index',
      expression: 'create index "mail_job_link_index" on "mail_job" ("due_at") where "organization_id" is null',
    },
    {
      name: 'mail_job_guest_index',
      expression:
        'create index "mail_job_guest_index" on "mail_job" ("organization_id", "due_at") where "recipient" is null and "due_at" is not null',
    },
    {
      name: 'mail_job_event_index',
      expression:
        'create index "mail_job_event_index" on "mail_job" ("organization_id", "due_at") where "recipient" is not null and "due_at" is not null',
    },
    {
      name: 'mail_job_recipient_index',
      expression:
        'create index "mail_job_recipient_index" on "mail_job" ("organization_id", "recipient", "position") where "recipient" is not null',
    },
    // one that waits takes in what changes until it leaves
    {
      name: 'mail_job_digest_unique',
      expression: `create unique index "mail_job_digest_unique" on "mail_job" ("organization_id", "recipient") where "kind" = 'subscription_digest' and "attempts" = 0`,
    },
    {
      name: 'mail_job_given_up_index',
      expression: 'create index "mail_job_given_up_index" on "mail_job" ("created_at") where "due_at" is null',
    },
  ],
});
