import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../engine/columns.ts';

/** A mail to be sent; the row is deleted afterwards (note 0009). */
export const MailJob = defineEntity({
  name: 'MailJob',
  tableName: 'mail_job',
  properties: {
    id: id(),
    kind: p.string().length(40),
    /**
     * The input for composing the mail when it is sent. Never a password, token or link: those are created only then.
     */
    data: p.json<Record<string, unknown>>(),
    /** The subscription that it is about; null if it is about none or several. */
    about: p.uuid().nullable().generated(`(("data"->>'subscriptionId')::uuid) stored`),
    /**
     * The organization whose event it is about, for turns and budgets; null for mails about accounts and invitations.
     */
    organization_id: p.uuid().nullable(),
    /** The holder of the subscriptions that it is about; null if the recipient is not proven yet. */
    recipient: p.uuid().nullable(),
    /**
     * Orders the mails of an organization to one recipient by the commits of the changes, since it is drawn under the
     * event's lock.
     */
    position: p.bigint().autoincrement(),
    /** Whether it waits for an earlier mail to the same recipient; it is then due when that one is, at the latest. */
    held: p.boolean().default(false),
    /** How often sending has been attempted. */
    attempts: p.integer().default(0),
    /** When it may be sent next; in the future while a process is sending it; null once sending was given up. */
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
    // a waiting digest absorbs further changes until it is sent
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
