import { glob } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { preparedStatements } from '#postgres-access';
import { ensureDemo } from '../../src/db/demo/demo.ts';
import { tenantTables, unboundTables } from '../support/bound-organization.ts';
import { connectTo } from '../support/database.ts';
import { useEveryOperation } from '../support/every-operation.ts';
import { exampleUrl } from '../support/examples/tell-story.ts';
import { postgresMajor } from '../support/postgres.ts';
import { serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { listenTo } from '../support/statements.ts';
import { unboundStatements } from '../support/unbound-statements.ts';
import { allowLoopback } from '../support/webhooks.ts';
import { readEveryList } from './every-list.ts';

// Which rows belong to an organization, and whether they and their keys say so: from the catalogue of PostgreSQL, so a new table
// fails until it has the column, and keys with it, or stands here with its reason. An entry that is not needed fails as well.

type Exceptions = Record<string, readonly string[]>;

const withoutId: Exceptions = {
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

const server = await serve({ env: { ...allowLoopback, PUBLIC_URL: exampleUrl } });
const client = await shared(connectTo(server.databaseUrl));
const owned = await tenantTables(client);
const names = owned.map(({ name }) => name);

const listed = (exceptions: Exceptions) => Object.values(exceptions).flat().toSorted();

/** The names that a statement gives for the names of these tables. */
async function namesBy(statement: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(statement, [names]);
  return rows.map(({ name }) => name).toSorted();
}

it('each table of an organization has its id in every row', () => {
  expect(owned.filter(({ column }) => column !== 'required').map(({ name }) => name)).toEqual(listed(withoutId));
});

it('each unique key of them contains it', async () => {
  const others = `select indexrelid::regclass::text as name from pg_index join pg_class c on c.oid = indrelid
    where indisunique and relnamespace = 'public'::regnamespace and relname = any($1) and not exists (
      select from pg_attribute a where a.attrelid = indrelid and a.attnum = any(indkey) and a.attname = 'organization_id')`;
  expect(await namesBy(others)).toEqual(listed(uniqueKeys));
});

it('each foreign key from one of them to another has it on both sides, in the same place', async () => {
  const others = `select conname as name from pg_constraint where contype = 'f'
    and conrelid::regclass::text = any($1) and confrelid::regclass::text = any($1) and not exists (
      select from unnest(conkey, confkey) as k (own, other)
      join pg_attribute a on a.attrelid = conrelid and a.attnum = k.own
      join pg_attribute b on b.attrelid = confrelid and b.attnum = k.other
      where a.attname = 'organization_id' and b.attname = 'organization_id')`;
  expect(await namesBy(others)).toEqual(listed(foreignKeys));
});

it('no table is left out: the others belong to people, or to the service', async () => {
  const others = `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    and not relname = any($1)`;
  expect(await namesBy(others)).toEqual([
    ...['calendar_feed', 'idempotency_key', 'last_write', 'log_restore', 'mikro_orm_migrations', 'organization'],
    ...['rate_limit', 'session', 'user'],
  ]);
});

// A statement says whose rows it touches (note 0074).
// Each statement of every list, and each that the service sends while every operation is used once, names one organization,
// or stands in unbound-statements.ts with its reason.

for await (const file of glob('src/{domain,engine}/**/*.ts')) await import(`../../${file}`);
const statements = new Set<string>();
/** Those that read lists. */
const ofLists = new Set<string>();
const prepared = new Set(preparedStatements.map((compile) => compile().sql));
const tables = new Set(owned.filter(({ column }) => column === 'required').map(({ name }) => name));

/** The ones that touch no table, or only tables of the system, and that cannot be explained. */
const framing =
  /^(begin|start transaction|commit|rollback|savepoint|release|set|listen|close|deallocate|analyze|select set_config)\b/i;

/** With which the test waits for the service. */
const waits =
  /^select id from job where lane in|^select from organization$|^select from webhook_delivery where webhook_id = /;

/**
 * What the service asks at its own times, so that it is recorded or not: the events whose reminders are due, the webhooks that fail, and
 * which webhooks of due changes are active.
 */
const periodic =
  /^(?:select id from event where status = \$?\S+ and date_start > now\(\)|select id from webhook where failing_since|with given as materialized \(select id, status from webhook where id = any)/;

/** Without what differs from one execution to the next: comments, the layout, and the values that the ORM writes into the text. */
function normalized(text: string): string {
  return text
    .replaceAll(/(?<=^|\s)--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/'[0-9a-f]{8}-[0-9a-f-]{27}'/g, "'01900000-0000-7000-8000-000000000001'")
    .replaceAll(/([(]) | (?=[)])/g, '$1')
    .trim()
    .replace(/;$/, '');
}

beforeAll(async () => {
  const { primary, snapshots } = server.orm.connections;
  const record = async (into: Set<string>, work: () => Promise<unknown>) => {
    const stops = [primary, snapshots].map((pool) => listenTo(pool, (text) => void into.add(normalized(text))));
    await work();
    for (const stop of stops) stop();
  };
  await record(statements, async () => {
    await ensureDemo(server.orm);
    await useEveryOperation(server);
  });
  await record(ofLists, () => readEveryList(server));
  for (const text of ofLists) statements.add(text);
}, 240_000);

const isOfRows = (text: string) =>
  text !== '' && ![framing, waits, periodic].some((each) => each.test(text.replaceAll('"', '')));

/** By their pieces, numbers of parameters do not matter, nor what the builder of statements writes more fully. */
const unnumbered = (text: string) =>
  text
    .replaceAll(/\$\d+/g, '$')
    .replaceAll('"', '')
    .replaceAll(/\binner join\b/g, 'join')
    .replaceAll(/((?:from|join) \w+) as |([)]) as (?=\w+ on )/g, '$1$2 ');

const entries = Object.values(unboundStatements)
  .flat()
  .map((piece) => unnumbered(normalized(piece)));

// `explain (generic_plan)` came with version 16
describe.skipIf(postgresMajor < 16)('a statement', () => {
  it('names the organization whose rows it touches, or has a reason not to', async () => {
    const unexplained: string[] = [];
    const needed = new Set<string>();
    for (const text of [...statements].filter(isOfRows)) {
      const unbound = await unboundTables(client, text, tables);
      if (unbound.length === 0) continue;
      const found = entries.filter((piece) => unnumbered(text).includes(piece));
      for (const piece of found) needed.add(piece);
      if (found.length === 0) unexplained.push(`${unbound.join()}: ${unnumbered(text)}`);
    }
    expect(unexplained).toEqual([]);
    // an entry that is not needed any more goes
    expect(entries.filter((piece) => !needed.has(piece))).toEqual([]);
  });

  it('of every operation is among those', () => {
    expect(statements.size).toBeGreaterThan(1_000);
  });

  // types do not see whether an index serves a statement whose values are not known yet
  it('of a list, or a prepared one, finds its rows by an index', async () => {
    await client.query('set enable_seqscan = off');
    const without: string[] = [];
    // a row of `log_restore` is a restore of the database
    const lists = [...ofLists].filter((each) => isOfRows(each) && !each.includes('from log_restore'));
    for (const text of [...lists, ...prepared]) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
      if (rows.some((row) => row['QUERY PLAN'].includes('Seq Scan'))) without.push(text);
    }
    await client.query('reset enable_seqscan');
    expect(without).toEqual([]);
  });
});

// types do not see what only PostgreSQL knows: parentheses, and the types of parameters
it('a prepared statement is one that PostgreSQL accepts', async () => {
  expect(prepared.size).toBeGreaterThan(10);
  for (const text of prepared) await client.query(`prepare checked as ${text}; deallocate checked`);
});

describe.skipIf(postgresMajor < 16)('the check of that', () => {
  const unboundIn = (text: string) => unboundTables(client, text, tables);

  it.each([
    'select from event where organization_id = $1',
    'select from event where organization_id = $1 and status in (1, 2) and id = any($2::uuid[])',
    'select from event e join event_slug s on s.organization_id = e.organization_id where e.organization_id = $1',
    'update event set name = $1 where organization_id = $2 and id = $3',
    'insert into event (id, organization_id, name, slug, date_start, date_end) values ($1, $2, $3, $4, $5, $6)',
    'select from "user" where id = $1',
  ])('lets `%s` pass', async (text) => {
    expect(await unboundIn(text)).toEqual([]);
  });

  it.each([
    ['select from event where id = $1', ['event']],
    ['select from event where organization_id = any($1::uuid[])', ['event']],
    ['select from event where organization_id = $1 or id = $2', ['event']],
    ['select from event where organization_id <> $1', ['event']],
    ['select from event e join form_version f on f.event_id = e.id where e.organization_id = $1', ['form_version']],
    ['delete from event where id = $1', ['event']],
    ['insert into event (id, name, slug, date_start, date_end) values ($1, $2, $3, $4, $5)', ['event']],
  ])('finds `%s`', async (text, expected) => {
    expect(await unboundIn(text)).toEqual(expected);
  });
});
