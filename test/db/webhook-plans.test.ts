import { randomUUID } from 'node:crypto';
import { Client, types } from 'pg';
import type { Sql } from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordDelivered } from '../../src/domain/webhook/record-delivered.ts';
import { recordTry } from '../../src/domain/webhook/record-try.ts';
import {
  type ClaimedChange,
  claimChanges,
  queueChanges,
  releaseClaims,
} from '../../src/domain/webhook/webhook-queue.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const organization_id = '01900000-0000-7000-8000-000000000001';
const webhook = { id: '01900000-0000-7000-8000-000000000002', organization_id };

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  // times as text, as the service reads them
  client.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => text);
  await client.connect();
  await client.query(`insert into organization (id, name, slug) values ('${organization_id}', 'Own', 'own')`);
  await client.query(
    `insert into webhook (id, organization_id, url, kinds, description, status, created_by, place_height, place_open, place_from,
        place_to, place_at, last_success_at, healthy)
      values ($1, $2, 'https://example.org/', '{event}', '', 'active', uuidv7(), 0, '{}', '0', '0', now(), now(), true)`,
    [webhook.id, organization_id],
  );
  await client.query('analyze webhook_due');
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The plans of the statements that ran. */
let plans: string[] = [];

beforeEach(async () => {
  await client.query('delete from webhook_due');
  plans = [];
});

const unit = {
  rows: async ({ text, values }: Sql) => {
    if (text.includes('webhook_due')) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return (await client.query(text, values)).rows;
  },
  row: async (statement: Sql) => (await unit.rows(statement))[0],
  run: async (statement: Sql) => void (await unit.rows(statement)),
  transaction: async (work: (given: unknown) => Promise<unknown>) => {
    await client.query('begin');
    const result = await work(unit);
    await client.query('commit');
    return result;
  },
};
const db = unit as never;

const changeOf = (object_id: string) => ({
  ...{ id: randomUUID(), kind: 'event' as const, op: 'changed' as const, object_id, event_id: object_id, version: 2 },
  ...{ actor_id: null, occurred_at: '2031-05-03T08:00:00.000Z' },
});

const queue = (changes: { seq: string; change: ReturnType<typeof changeOf> }[]) =>
  unit.transaction(async () => await queueChanges(db, webhook, changes));

/** Claims what can be sent, and the numbers of it. */
async function claim() {
  const changes = (await claimChanges(db, 64, 48)).flatMap((run) => run.changes);
  return { changes, numbers: changes.map(({ seq }) => Number(seq)).sort((a, b) => a - b) };
}

const deliver = async (changes: Awaited<ReturnType<typeof claim>>['changes']) =>
  await recordDelivered(
    db,
    changes.map((claimed) => ({
      claimed,
      answer: { ...answer, delivered: true, http_status: 204, error: null },
    })),
  );

const answer = { duration_ms: 1, response: '', retryAfter: null };
const status = (http_status: number) => ({
  ...{ ...answer, delivered: false, http_status, error: `status ${http_status}` },
});

function expectLookUps(count: number): void {
  expect(plans).toHaveLength(count);
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on webhook_due|Bitmap Heap Scan on webhook_due/);
}

describe('changes that wait for delivery', () => {
  it('are looked up by indexes, although the table was empty when its statistics were taken', async () => {
    await queue([
      { seq: '1', change: changeOf(randomUUID()) },
      { seq: '2', change: changeOf(randomUUID()) },
    ]);
    const { changes, numbers } = await claim();
    expect(numbers).toEqual([1, 2]);
    await deliver(changes);
    expectLookUps(3);
  });

  it('are looked up by indexes only if a try of theirs has failed, also if they are given up', async () => {
    const object = randomUUID();
    await queue([
      { seq: '1', change: changeOf(object) },
      { seq: '2', change: changeOf(object) },
    ]);
    plans = [];
    const record = async (tried: ReturnType<typeof status>) => {
      const { changes } = await claim();
      return await recordTry(db, changes[0] as ClaimedChange, tried);
    };
    expect(await record(status(500))).toBe('again');
    // a claim; the change that was tried, and what becomes of it
    expectLookUps(3);
    // not now(), which the column rounds to a millisecond that may be yet to come
    await client.query(
      `update webhook_due set due_at = now() - interval '1 second', step = 9, first_tried_at = now() - interval '1 day'`,
    );
    plans = [];
    expect(await record(status(500))).toBe('given up');
    expectLookUps(4);
    const { changes, numbers } = await claim();
    expect(numbers).toEqual([2]);
    plans = [];
    await releaseClaims(db, changes);
    expectLookUps(1);
    await deliver((await claim()).changes);
  });

  it('are sent one at a time for an object, also if an earlier one is queued while a later one is being sent', async () => {
    const object = randomUUID();
    await queue([
      { seq: '20', change: changeOf(object) },
      { seq: '30', change: changeOf(object) },
    ]);
    const first = await claim();
    expect(first.numbers).toEqual([20]);
    await queue([{ seq: '10', change: changeOf(object) }]);
    // 20 is under way, and 10 comes before whatever is not
    expect((await claim()).numbers).toEqual([]);
    await deliver(first.changes);
    const second = await claim();
    expect(second.numbers).toEqual([10]);
    await queue([{ seq: '40', change: changeOf(object) }]);
    expect((await claim()).numbers).toEqual([]);
    await deliver(second.changes);
    const third = await claim();
    expect(third.numbers).toEqual([30]);
    await deliver(third.changes);
    expect((await claim()).numbers).toEqual([40]);
  });
});
