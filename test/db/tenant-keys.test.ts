import { expect, it } from 'vitest';
import { tenantTables } from '../support/bound-organization.ts';
import { connectedDatabase } from '../support/database.ts';

// Which rows belong to an organization, and whether they and their keys say so: from the catalogue of PostgreSQL, so a new table
// fails until it has the column, and keys with it, or stands here with its reason. An entry that is not needed fails as well.

type Exceptions = Record<string, readonly string[]>;

const tables: Exceptions = {
  'goes with its event, subscription or webhook, and is found by it': [
    ...['event_change_notice', 'guest_link', 'guest_request', 'subscription_change', 'webhook_delivery'],
    'webhook_secret',
  ],
  'is about a person, and names the organization only if there is one': [
    ...['audit_entry', 'job', 'one_time_token', 'pending_sign_up'],
  ],
};

const uniqueKeys: Exceptions = {
  'an id that is unique without asking (UUIDv7), by which the unit of work finds the row': [
    ...['api_key', 'audit_entry', 'event', 'former_membership', 'guest_request', 'invitation', 'job', 'membership'],
    ...['one_time_token', 'subscription_change', 'subscription', 'webhook_delivery', 'webhook'],
  ].map((table) => `${table}_pkey`),
  'the hash of a secret, by which its row is found while nobody knows the organization': [
    ...['api_key_hash_unique', 'guest_link_pkey', 'guest_request_hash_unique', 'invitation_hash_unique'],
    'one_time_token_hash_unique',
  ],
  'begins with the id of an organization, event, subscription or webhook': [
    ...['event_change_notice_pkey', 'form_version_pkey', 'guest_link_subscription_id_key_id_unique'],
    ...['job_digest_unique', 'webhook_secret_pkey'],
  ],
  'of work for all organizations': ['job_periodic_unique'],
  'one for each user': ['one_time_token_user_id_purpose_unique', 'pending_sign_up_pkey'],
};

const foreignKeys: Exceptions = {
  'by the id of the event, subscription or webhook alone: an entity refers to the primary key of another': [
    ...['event_change_notice_event', 'event_slug_event', 'form_version_event', 'guest_link_subscription'],
    ...['guest_request_event', 'subscription_change_subscription', 'subscription_event', 'webhook_delivery_webhook'],
    'webhook_secret_webhook',
  ].map((key) => `${key}_id_foreign`),
};

const { client } = await connectedDatabase();
const owned = await tenantTables(client);

const listed = (exceptions: Exceptions) => Object.values(exceptions).flat().toSorted();

/** The unique keys of these tables that do not contain the organization. */
async function otherUniqueKeys(names: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index join pg_class c on c.oid = indrelid
      where indisunique and relnamespace = 'public'::regnamespace and relname = any($1) and not exists (
        select from pg_attribute a where a.attrelid = indrelid and a.attnum = any(indkey) and a.attname = 'organization_id')`,
    [names],
  );
  return rows.map(({ name }) => name).toSorted();
}

/** The foreign keys between two of these tables that do not have the organization on both sides, in the same place. */
async function otherForeignKeys(names: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where contype = 'f'
      and conrelid::regclass::text = any($1) and confrelid::regclass::text = any($1) and not exists (
        select from unnest(conkey, confkey) as k (own, other)
        join pg_attribute a on a.attrelid = conrelid and a.attnum = k.own
        join pg_attribute b on b.attrelid = confrelid and b.attnum = k.other
        where a.attname = 'organization_id' and b.attname = 'organization_id')`,
    [names],
  );
  return rows.map(({ name }) => name).toSorted();
}

const names = () => owned.map(({ name }) => name);

it('each table of an organization has its id in every row', () => {
  expect(owned.filter(({ column }) => column !== 'required').map(({ name }) => name)).toEqual(listed(tables));
});

it('each unique key of them contains it', async () => {
  expect(await otherUniqueKeys(names())).toEqual(listed(uniqueKeys));
});

it('each foreign key from one of them to another contains it', async () => {
  expect(await otherForeignKeys(names())).toEqual(listed(foreignKeys));
});

it('no table is left out: the others belong to people, or to the service', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and not relname = any($1) order by 1`,
    [names()],
  );
  expect(rows.map(({ name }) => name)).toEqual([
    ...['calendar_feed', 'idempotency_key', 'last_write', 'log_restore', 'mikro_orm_migrations', 'organization'],
    ...['rate_limit', 'session', 'user'],
  ]);
});
