import { randomUUID } from 'node:crypto';
import { Client, types } from 'pg';
import type { Sql } from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordFailure } from '../../src/domain/webhook/record-failure.ts';
import { recordProgress, type SentChange } from '../../src/domain/webhook/record-progress.ts';
import { takeTurns } from '../../src/domain/webhook/turns.ts';
import { objectOf, queueChanges, takeDue } from '../../src/domain/webhook/webhook-queue.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const organization_id = '01900000-0000-7000-8000-000000000001';
const webhook = { id: '01900000-0000-7000-8000-000000000002', organization_id };
const turn = { webhook_id: webhook.id, organization_id, turn: '01900000-0000-7000-8000-000000000003' };

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
        place_to, place_at, last_success_at, healthy, turn, turn_until)
      values ($1, $2, 'https://example.org/', '{event}', '', 'active', gen_random_uuid(), 0, '{}', '0', '0', now(), now(), true, $3,
        now() + interval '1 hour')`,
    [webhook.id, organization_id, turn.turn],
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

/** Takes what can be sent, and the numbers of it. */
async function take(busy: readonly SentChange[] = []) {
  const objects = busy.map(({ change }) => objectOf(change));
  const taken = await takeDue(db, { ...turn, answering: true, healthy: true }, objects, 64);
  const changes: SentChange[] = taken.map((each) => ({ ...each, isQueued: true }));
  return { changes, numbers: changes.map(({ seq }) => Number(seq)) };
}

const nothing = { key: turn, delivered: [], queued: [], released: [], reached: null };
const answer = { duration_ms: 1, response: '', retryAfter: null };
const status = (http_status: number) => ({
  ...{ ...answer, delivered: false, http_status, error: `status ${http_status}` },
});

const deliver = async (changes: readonly SentChange[]) => {
  const delivered = changes.map((sent) => ({
    ...{ sent, answer: { ...answer, delivered: true, http_status: 204, error: null } },
  }));
  await recordProgress(db, [{ ...nothing, delivered }]);
};

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
    await takeTurns(db, [webhook.id], [{ ...turn, sending: 0 }], { all: 8, failing: 8 });
    const { changes, numbers } = await take();
    expect(numbers).toEqual([1, 2]);
    await deliver(changes);
    expectLookUps(4);
    expect((await client.query('select from webhook_due')).rowCount).toBe(0);
  });

  it('are looked up by indexes only if a try of theirs has failed, also if they are given up', async () => {
    const object = randomUUID();
    await queue([
      { seq: '1', change: changeOf(object) },
      { seq: '2', change: changeOf(object) },
    ]);
    plans = [];
    const record = async (tried: ReturnType<typeof status>) => {
      const { changes } = await take();
      return await recordFailure(db, { ...turn, sent: changes[0] as SentChange }, tried);
    };
    expect(await record(status(500))).toBe('again');
    // taken; the change that was tried, and what becomes of it
    expectLookUps(3);
    // not now(), which the column rounds to a millisecond that may be yet to come
    await client.query(
      `update webhook_due set due_at = now() - interval '1 second', step = 9, first_tried_at = now() - interval '1 day'`,
    );
    plans = [];
    expect(await record(status(500))).toBe('given up');
    expectLookUps(3);
    await client.query(`update webhook_due set due_at = now() - interval '1 second'`);
    const { changes, numbers } = await take();
    expect(numbers).toEqual([2]);
    expect((await take()).numbers).toEqual([]);
    plans = [];
    await recordProgress(db, [{ ...nothing, released: changes.map(({ change: { id } }) => id) }]);
    expectLookUps(1);
    await client.query(`update webhook_due set due_at = now() - interval '1 second'`);
    await deliver((await take()).changes);
  });

  it('are sent one at a time for an object, also if an earlier one is queued while a later one is being sent', async () => {
    const object = randomUUID();
    const past = () =>
      client.query(
        `update webhook_due set due_at = now() - interval '1 second' where due_at <= now() + interval '1 second'`,
      );
    await queue([
      { seq: '20', change: changeOf(object) },
      { seq: '30', change: changeOf(object) },
    ]);
    await past();
    // the later one follows in the same page
    const first = await take();
    expect(first.numbers).toEqual([20, 30]);
    const [sent, later] = first.changes as [SentChange, SentChange];
    await queue([{ seq: '10', change: changeOf(object) }]);
    await recordProgress(db, [{ ...nothing, released: [later.change.id] }]);
    await past();
    // 20 is under way, and 10 comes before whatever is not
    expect((await take([sent])).numbers).toEqual([]);
    await deliver([sent]);
    const second = await take();
    expect(second.numbers).toEqual([10, 30]);
    await deliver(second.changes);
    expect((await take()).numbers).toEqual([]);
  });

  it('are taken with those that follow them, up to one that is not due', async () => {
    const [object, other] = [randomUUID(), randomUUID()];
    await queue(['10', '20', '30', '40'].map((seq) => ({ seq, change: changeOf(object) })));
    await queue([{ seq: '50', change: changeOf(other) }]);
    await client.query(
      `update webhook_due set due_at = now() + case seq when 30 then interval '1 hour' when 50 then interval '-1 second' else interval '-2 seconds' end`,
    );
    expect((await takeDue(db, { ...turn, answering: true, healthy: false }, [], 64)).map(({ seq }) => seq)).toEqual([
      '10',
      '50',
    ]);
    await client.query(`update webhook_due set due_at = now() - interval '1 second' where seq <> 30`);
    expect((await take()).numbers.toSorted()).toEqual([10, 20, 50]);
  });

  it('are recorded only in the turn that they were taken in', async () => {
    await queue([{ seq: '1', change: changeOf(randomUUID()) }]);
    await client.query(`update webhook_due set due_at = now() - interval '1 second'`);
    const { changes } = await take();
    const other = { ...turn, turn: randomUUID() };
    const logged = async () => Number((await client.query('select count(*) from webhook_delivery')).rows[0].count);
    const before = await logged();
    expect(await recordFailure(db, { ...other, sent: changes[0] as SentChange }, status(500))).toBeNull();
    const delivered = [{ sent: changes[0] as SentChange, answer: { ...status(204), delivered: true, error: null } }];
    await recordProgress(db, [{ ...nothing, key: other, delivered }]);
    expect(await logged()).toBe(before);
    await recordProgress(db, [{ ...nothing, delivered }]);
    expect(await logged()).toBe(before + 1);
  });
});
