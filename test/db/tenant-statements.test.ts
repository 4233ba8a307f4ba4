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

// A statement says whose rows it touches (note 0074).
// Each statement of every list, and each that the service sends while every operation is used once, names one organization,
// or stands in unbound-statements.ts with its reason.

const server = await serve({ env: { ...allowLoopback, PUBLIC_URL: exampleUrl } });
const client = await shared(connectTo(server.databaseUrl));
for await (const file of glob('src/{domain,engine}/**/*.ts')) await import(`../../${file}`);
const statements = new Set<string>();
/** Those that read lists. */
const ofLists = new Set<string>();
const prepared = new Set(preparedStatements.map((compile) => compile().sql));
let tables: ReadonlySet<string>;

/** The ones that touch no table, or only tables of the system, and that cannot be explained. */
const framing =
  /^(begin|start transaction|commit|rollback|savepoint|release|set|listen|close|deallocate|analyze|select set_config)\b/i;

/** With which the test waits for the service. */
const waits = /^select id from job where lane in|^select from organization$/;

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
  const named = (await tenantTables(client)).filter(({ column }) => column === 'required');
  tables = new Set(named.map(({ name }) => name));
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

const entries = unboundStatements.flatMap(({ statements: pieces }) =>
  pieces.map((piece) => unnumbered(normalized(piece))),
);

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
