import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { statementBuilder } from '#postgres-access';
import { created_at, id, timestamp } from '../columns.ts';

/** Each lane has its own places, so that none waits for another. */
export const lanes = ['account_mails', 'guest_mails', 'event_mails', 'notices', 'deliveries', 'periodic'] as const;
export type LaneName = (typeof lanes)[number];

export const nobody = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A value of `due_at`. Rounded down: the column would round up, to a time that has not come yet. */
export const dueNow = sql<string>`date_trunc('milliseconds', now())`;

/** Work to do after the transaction that caused it (note 0087). The row is deleted once it is done. */
export const Job = defineEntity({
  name: 'Job',
  tableName: 'job',
  properties: {
    id: id(),
    lane: p.enum(lanes),
    kind: p.string().length(40),
    /** Never a password, token or link: those are created when the job runs. */
    data: p.json<Record<string, unknown>>(),
    /** The subscription or the change that it is about; null for none or several. */
    about: p.uuid().nullable().generated(`(coalesce("data"->>'subscriptionId', "data"->'change'->>'id')::uuid) stored`),
    /** The organization whose budgets and limits it counts for. */
    organization_id: p.uuid().nullable(),
    /** Parties take turns: the organization, or the webhook. */
    party: p.uuid().default(nobody),
    /** Jobs of one party and key run in order; null if the order does not matter. Lanes have different keys. */
    key: p.string().length(60).nullable(),
    /** The order within a key: drawn under the lock of the changed object, or the number of a change in the log. */
    position: p.bigint('string').autoincrement(),
    held: p.boolean().default(false),
    /** Whether a process is running it, until `due_at`. */
    claimed: p.boolean().default(false),
    /** How often it has been claimed, without postponed attempts; identifies a claim. */
    attempts: p.integer().default(0),
    /** When it may run next; while it runs, when its claim expires; null once given up. */
    due_at: timestamp().nullable().defaultRaw('now()'),
    error: p.string().length(400).nullable(),
    created_at: created_at(),
  },
  indexes: [
    { name: 'job_due_index', properties: ['lane', 'due_at'], where: '"due_at" is not null' },
    { name: 'job_party_index', properties: ['lane', 'party', 'due_at', 'position'], where: '"due_at" is not null' },
    // without the lane: with it, PostgreSQL might take another index that begins with the lane
    { name: 'job_key_index', properties: ['party', 'key', 'position'], where: '"key" is not null' },
    { name: 'job_claimed_index', properties: ['lane', 'party'], where: '"claimed"' },
    // deliveries are found by their webhooks: each index costs every insert and every claim
    { name: 'job_organization_index', properties: ['organization_id'], where: `"lane" <> 'deliveries'` },
    { name: 'job_given_up_index', properties: ['created_at'], where: '"due_at" is null' },
  ],
  uniques: [
    // a waiting digest absorbs further changes until it is sent
    {
      name: 'job_digest_unique',
      properties: ['party', 'key'],
      where: `"kind" = 'subscription_digest' and "attempts" = 0`,
    },
    { name: 'job_periodic_unique', properties: ['key'], where: `"lane" = 'periodic'` },
  ],
});

export const jobs = statementBuilder<InferKyselyDB<typeof Job, { columnNamingStrategy: 'property' }>>();
