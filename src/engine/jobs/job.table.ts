import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../columns.ts';

/** The lanes of the queue: each has its own places, so that none waits for another. */
export const lanes = ['account_mails', 'guest_mails', 'event_mails', 'notices', 'deliveries', 'periodic'] as const;
export type LaneName = (typeof lanes)[number];

/** The party of jobs that belong to nobody. */
export const nobody = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Something to do after the transaction that caused it (note 0087). The row is deleted once it is done. */
export const Job = defineEntity({
  name: 'Job',
  tableName: 'job',
  properties: {
    id: id(),
    lane: p.enum(lanes),
    kind: p.string().length(40),
    /** The input of the job. Never a password, token or link: those are created when it runs. */
    data: p.json<Record<string, unknown>>(),
    /** The subscription, or the change, that it is about; null if it is about none or several. */
    about: p.uuid().nullable().generated(`(coalesce("data"->>'subscriptionId', "data"->'change'->>'id')::uuid) stored`),
    /** The organization whose budgets and bounds it counts for. */
    organization_id: p.uuid().nullable(),
    /** Parties take turns: the organization, or the webhook. */
    party: p.uuid().default(nobody),
    /** Jobs of one party with the same key run one after the other; null if the order does not matter. Lanes have different keys. */
    key: p.string().length(60).nullable(),
    /** The order within a key: drawn under the lock of what changed, or the number of a change in the log. */
    position: p.bigint('string').autoincrement(),
    /** Whether it waits for an earlier job of its key. */
    held: p.boolean().default(false),
    /** Whether a process is running it, until `due_at`. */
    claimed: p.boolean().default(false),
    /** How often it has been claimed, without what was postponed; identifies a claim. */
    attempts: p.integer().default(0),
    /** When it may run next; while it runs, when its claim expires; null once it was given up. */
    due_at: timestamp().nullable().defaultRaw('now()'),
    /** Why the last attempt failed. */
    error: p.string().length(400).nullable(),
    created_at: created_at(),
  },
  indexes: [
    {
      name: 'job_due_index',
      expression: 'create index "job_due_index" on "job" ("lane", "due_at") where "due_at" is not null',
    },
    {
      name: 'job_party_index',
      expression:
        'create index "job_party_index" on "job" ("lane", "party", "due_at", "position") where "due_at" is not null',
    },
    {
      // without the lane, which other indexes begin with: PostgreSQL might take those
      name: 'job_key_index',
      expression: 'create index "job_key_index" on "job" ("party", "key", "position") where "key" is not null',
    },
    {
      name: 'job_claimed_index',
      expression: 'create index "job_claimed_index" on "job" ("lane", "party") where "claimed"',
    },
    {
      name: 'job_organization_index',
      expression:
        'create index "job_organization_index" on "job" ("organization_id") where "organization_id" is not null',
    },
    // a waiting digest absorbs further changes until it is sent
    {
      name: 'job_digest_unique',
      expression: `create unique index "job_digest_unique" on "job" ("party", "key") where "kind" = 'subscription_digest' and "attempts" = 0`,
    },
    // a change waits once for each webhook
    {
      name: 'job_delivery_unique',
      expression: `create unique index "job_delivery_unique" on "job" ("party", "about") where "lane" = 'deliveries'`,
    },
    // one job for each kind of work that is done from time to time
    {
      name: 'job_periodic_unique',
      expression: `create unique index "job_periodic_unique" on "job" ("key") where "lane" = 'periodic'`,
    },
    {
      name: 'job_given_up_index',
      expression: 'create index "job_given_up_index" on "job" ("created_at") where "due_at" is null',
    },
  ],
});
