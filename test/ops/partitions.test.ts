import { readFile } from 'node:fs/promises';
import type { Migration } from '@mikro-orm/migrations';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceDatabase } from '../../src/db/access/service-database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { IndexMigration } from '../../src/db/migrations/index-migration.ts';
import { migrations } from '../../src/db/migrations/migrations.ts';
import { deleteStep } from '../../src/domain/leaving/delete-steps.ts';
import { deleteOldChanges } from '../../src/jobs/sweep/changes.ts';
import { insertOrganization } from '../support/fixtures.ts';
import { logChange } from '../support/log-change.ts';
import { send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam } from '../support/team.ts';

// The log of changes in partitions (docs/operations/scale.md#partitions): what the script makes, and that the service goes on as before.

const server = await shared(startTestServer());
const team = await createTeam(server);
const { organizationId } = team;
const client = new Client({ connectionString: server.databaseUrl });
const db = new ServiceDatabase(server.orm);
let cursor: string;
let before: unknown[];

const dates = { date_start: '2031-05-01T10:00:00Z', date_end: '2031-05-01T12:00:00Z' };
const create = async (name: string) =>
  expect((await send(server, team.owner, 'POST /events', { name, ...dates })).status).toBe(201);
const changesSince = async (token: string) =>
  (await send<{ items: { id: string }[] }>(server, team.owner, `GET /changes?token=${token}`)).body.items;
const rowsOf = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

beforeAll(async () => {
  await client.connect();
  cursor = (await send<{ next: string }>(server, team.owner, 'GET /changes?since=now')).body.next;
  await create('Before');
  for (let count = 0; count < 40; count += 1) await logChange(server, (await insertOrganization(server.orm)).id);
  before = await rowsOf('select * from change order by seq');
  const open = new Client({ connectionString: server.databaseUrl });
  await open.connect();
  // written before the copy, and over after it
  await open.query('begin');
  await open.query(
    `insert into change (organization_id, x, id, kind, op, object_id, occurred_at)
      values ($1, pg_current_xact_id(), uuidv7(), 'event', 'changed', uuidv7(), clock_timestamp())`,
    [organizationId],
  );
  const text = await readFile('ops/postgres/partition-changes.sql', 'utf8');
  for (const statement of text.replaceAll(/^--.*$/gm, '').split(/;\n/)) {
    if (statement.includes('lock table')) {
      await open.query('commit');
      await create('Meanwhile');
    }
    if (statement.trim()) await client.query(statement);
  }
  await open.end();
}, 120_000);
afterAll(() => client.end());

describe('the script', () => {
  it('keeps every change, also those that were written meanwhile', async () => {
    const after = await rowsOf('select * from change order by seq');
    expect(after.length).toBe(before.length + 2);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  it('makes 8 partitions with the indexes and checks of the table, under their names', async () => {
    expect(await rowsOf(`select from pg_inherits where inhparent = 'change'::regclass`)).toHaveLength(8);
    const names = await rowsOf(`select indexrelid::regclass::text as name, indisvalid as valid from pg_index
      where indrelid = 'change'::regclass order by 1`);
    expect(names).toEqual(
      ['change_kind_index', 'change_member_index', 'change_pkey', 'change_transaction_index'].map((name) => ({
        name,
        valid: true,
      })),
    );
    const checks = await rowsOf(`select from pg_constraint where conrelid = 'change'::regclass and contype = 'c'`);
    expect(checks).toHaveLength(3);
    expect(await rowsOf(`select pg_get_serial_sequence('change', 'seq') as name`)).toEqual([
      { name: 'public.change_seq_seq' },
    ]);
  });

  it('lets a statement about one organization read one partition, with a plan that is kept', async () => {
    await client.query(
      'set plan_cache_mode = force_generic_plan; set enable_bitmapscan = off; set enable_seqscan = off',
    );
    await client.query('prepare page (uuid) as select from change where organization_id = $1 and seq > 0 order by seq');
    const plan = await rowsOf(`explain (costs off) execute page ('${organizationId}')`);
    const lines = plan.map((row) => row['QUERY PLAN'] as string);
    expect(
      lines.filter((line) => / on change_\d+ /.test(line)),
      lines.join('\n'),
    ).toHaveLength(1);
    expect(lines.join('\n')).toContain('Subplans Removed: 7');
  });
});

describe('the service', () => {
  it('reads on from a cursor of before, and writes', async () => {
    expect(await changesSince(cursor)).toHaveLength(3);
    await create('After');
    expect(await changesSince(cursor)).toHaveLength(4);
  });

  it('deletes what has expired, and no row of another partition in the same place', async () => {
    await client.query(`update change set occurred_at = now() - interval '50 days' where seq % 2 = 0`);
    const kept = await rowsOf('select * from change where seq % 2 = 1 order by seq');
    const others = await rowsOf('select from (select ctid from change group by ctid having count(*) > 1) shared');
    expect(others.length).toBeGreaterThan(0);
    // a transaction that is open in any database of the server keeps the changes after it
    const left = async () => {
      await deleteOldChanges(db, 30, 500);
      return await rowsOf('select * from change order by seq');
    };
    await expect.poll(left).toEqual(kept);
  });

  it('deletes the changes of an organization, and of no other', async () => {
    const { id } = await insertOrganization(server.orm);
    for (let count = 0; count < 5; count += 1) await logChange(server, id);
    const others = await rowsOf('select * from change where organization_id <> $1 order by seq', [id]);
    await client.query(`update organization set deleted_at = now() - interval '1 day' where id = $1`, [id]);
    while ((await deleteStep({ db, bounded: true }, []))?.outcome === 'continued');
    expect(await rowsOf('select * from change order by seq')).toEqual(others);
  });

  it('migrates an index of it in each partition', async () => {
    class Planted extends IndexMigration {
      override async up(): Promise<void> {
        await this.createIndex('change_planted_index', 'on "change" ("organization_id", "actor_id")');
        await this.replaceIndex('change_planted_index', 'on "change" ("organization_id", "actor_id", "seq")');
        await this.replaceIndex('change_planted_index', 'on "change" ("organization_id", "actor_id", "id")');
      }
      override async down(): Promise<void> {
        await this.dropIndex('change_planted_index');
      }
    }
    const list = [
      ...migrations,
      { name: '9999-planted', class: Planted satisfies new (...options: never[]) => Migration },
    ];
    await migrate(server.databaseUrl, { list });
    const found = await rowsOf(`select indisvalid as valid from pg_index
      where indexrelid::regclass::text like 'change_planted_index%' and pg_get_indexdef(indexrelid) like '%actor_id, id)'`);
    expect(found).toEqual(Array.from({ length: 9 }, () => ({ valid: true })));
  });
});
