import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { types } from 'pg';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PostgresDatabase, type ReadOptions, type Statement } from '#postgres-access';
import type { ChangeKind } from '../../src/domain/change/change.table.ts';
import { placeAtEnd } from '../../src/domain/change/read-changes.ts';
import { type DeliveryJob, queueDeliveries } from '../../src/domain/webhook/delivery-jobs.ts';
import { recordDelivered, recordFailure } from '../../src/domain/webhook/record-attempts.ts';
import { Webhook } from '../../src/domain/webhook/webhook.entity.ts';
import { JobQueue } from '../../src/engine/jobs/job-queue.ts';
import { lookUpOnly, setSql } from '../../src/engine/planner.ts';
import { findLogReaders, type LogReader, readWebhookLog } from '../../src/jobs/webhook-reader.ts';
import { connectedDatabase } from '../support/database.ts';
import { insertOrganization } from '../support/fixtures.ts';
import { holding } from '../support/locks.ts';
import { logChange } from '../support/log-change.ts';

const organization_id = '01900000-0000-7000-8000-000000000001';
const webhook = { id: '01900000-0000-7000-8000-000000000002', organization_id };

const { client, ...database } = await connectedDatabase();

// times as text, as the service reads them
client.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => text);
await client.query(`insert into organization (id, name, slug) values ('${organization_id}', 'Own', 'own')`);
await client.query(
  `insert into webhook (id, organization_id, url, kinds, description, status, created_by, last_success_at, healthy)
    values ($1, $2, 'https://example.org/', '{event}', '', 'active', gen_random_uuid(), now(), true)`,
  [webhook.id, organization_id],
);
await client.query('analyze job');

/** The plans of the statements that ran. */
let plans: string[] = [];

beforeEach(async () => {
  await client.query('delete from job');
  plans = [];
});

const unit = {
  rows: async (query: Statement, { settings }: ReadOptions = {}): Promise<unknown[]> => {
    if (settings) {
      return await unit.transaction(async () => {
        await unit.run(setSql(settings));
        return await unit.rows(query);
      });
    }
    const { sql: text, parameters: values } = query;
    // parties are looked for by a statement that is planned each time
    if (/\bjob\b/.test(text) && !text.includes('recursive turn')) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values]);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return (await client.query(text, [...values])).rows;
  },
  row: async (statement: Statement) => (await unit.rows(statement))[0],
  run: async (statement: Statement) => void (await unit.rows(statement)),
  transaction: async <Result>(work: (given: unknown) => Promise<Result>): Promise<Result> => {
    await client.query('begin');
    const result = await work(unit);
    await client.query('commit');
    return result;
  },
};
const explained = unit as never;

const changeOf = (object_id: string) => ({
  ...{ id: randomUUID(), kind: 'event' as const, op: 'changed' as const, object_id, event_id: object_id, version: 2 },
  ...{ actor_id: null, occurred_at: '2031-05-03T08:00:00.000Z' },
});

/** Queues changes with these numbers, of these objects. */
const add = (...changes: [seq: string, object: string][]) => {
  const given = changes.map(([seq, object]) => ({ seq, change: changeOf(object) }));
  return unit.transaction(async () => await queueDeliveries(explained, webhook, given));
};

const queue = new JobQueue(explained, 'deliveries', {
  share: async (given, parties) => {
    await given.run(setSql(lookUpOnly.settings));
    return new Map(parties.map((party) => [party, 64]));
  },
});

/** Claims what can be sent, in the order of the log. */
async function claim(): Promise<DeliveryJob[]> {
  const jobs = await queue.claim(64);
  return (jobs as DeliveryJob[]).toSorted((one, other) => Number(one.position) - Number(other.position));
}
const numbersOf = (jobs: readonly DeliveryJob[]) => jobs.map(({ position }) => Number(position));
const makeDue = (condition = 'true') =>
  // not now(), which the column rounds to a millisecond that may be yet to come
  client.query(`update job set due_at = now() - interval '1 second' where ${condition}`);

const answer = { duration_ms: 1, response: '', retryAfter: null };
const failed = { ...answer, delivered: false, http_status: 500, error: 'status 500' };
const delivered = { ...answer, delivered: true, http_status: 204, error: null };
async function deliver(jobs: readonly DeliveryJob[]): Promise<void> {
  const all = jobs.map((job) => ({ job, answer: delivered }));
  await recordDelivered(explained, queue, all);
}

describe('changes that wait for delivery', () => {
  it('are looked up by indexes, although the table was empty when its statistics were taken', async () => {
    await add(['1', randomUUID()], ['2', randomUUID()]);
    const jobs = await claim();
    expect(numbersOf(jobs)).toEqual([1, 2]);
    expect(await recordFailure(explained, queue, jobs[0] as DeliveryJob, failed)).toBe('again');
    await deliver(jobs.slice(1));
    expect(plans.length).toBeGreaterThan(5);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on job/);
    expect((await client.query('select from job')).rowCount).toBe(1);
  });

  it('are sent one at a time for an object, also if an earlier one is queued while a later one is being sent', async () => {
    const object = randomUUID();
    await add(['20', object], ['30', object]);
    const first = await claim();
    expect(numbersOf(first)).toEqual([20]);
    await add(['10', object]);
    await deliver(first);
    const second = await claim();
    expect(numbersOf(second)).toEqual([10]);
    expect(await claim()).toEqual([]);
    await deliver(second);
    const third = await claim();
    expect(numbersOf(third)).toEqual([30]);
    await deliver(third);
    expect((await client.query('select from job')).rowCount).toBe(0);
  });

  it('become due when the earlier one is recorded, even if the process then dies', async () => {
    const object = randomUUID();
    await add(['40', object], ['50', object]);
    const release = vi.spyOn(queue, 'releaseNext');
    const first = await claim();
    release.mockImplementationOnce((...args) => JobQueue.prototype.releaseNext.apply(queue, args));
    release.mockRejectedValueOnce(new Error('killed'));
    await expect(deliver(first)).rejects.toThrow('killed');
    expect(numbersOf(await claim())).toEqual([50]);
  });

  it('are recorded only by the process whose claim it is', async () => {
    await add(['1', randomUUID()]);
    const [lost] = await claim();
    await makeDue();
    const [own] = await claim();
    const logged = async () => Number((await client.query('select count(*) from webhook_delivery')).rows[0].count);
    const before = await logged();
    expect(await recordFailure(explained, queue, lost as DeliveryJob, failed)).toBeNull();
    expect(await logged()).toBe(before);
    await deliver([own as DeliveryJob]);
    // it has arrived twice, and is logged once
    await deliver([lost as DeliveryJob]);
    expect(await logged()).toBe(before + 1);
  });
});

const time = { now: new Date(), retentionDays: 30 };

const db = new PostgresDatabase(database.orm);
const { id: organizationId } = await insertOrganization(database.orm);

/** A transaction that already has its number. */
const begun = () => holding(database, 'select pg_current_xact_id()');

/** A webhook that reads page after page, and the ids of what it has queued. */
async function reader(kinds: ChangeKind[]) {
  const em = database.orm.em.fork();
  const webhook = em.create(Webhook, {
    ...{ organization_id: organizationId, url: 'https://receiver.example/', kinds, description: '' },
    ...{ status: 'active', status_reason: null, created_by: randomUUIDv7(), failing_since: null },
    ...{ last_success_at: null, last_failure_at: null },
    place: await placeAtEnd(db, organizationId, time.now),
  });
  await em.persist(webhook).flush();
  const nothing = async () => undefined;
  /** @param after happens once the log is read, before that is recorded */
  const readOn = async (before: () => Promise<unknown> = nothing, after: () => Promise<unknown> = nothing) => {
    const found = await findLogReaders(db, [organizationId]);
    const own = found.find(({ id }) => id === webhook.id) as LogReader;
    await before();
    const transaction = db.transaction.bind(db);
    const spy = vi.spyOn(db, 'transaction').mockImplementationOnce(async (work) => {
      spy.mockRestore();
      await after();
      return await transaction(work);
    });
    return await readWebhookLog(db, own, time);
  };
  const read = async () =>
    (await database.execute<{ id: string }>('select about as id from job where party = ?', [webhook.id]))
      .map(({ id }) => id)
      .toSorted();
  return { webhook, read, readOn };
}

describe('what a webhook has read of the log', () => {
  it('lacks nothing that is committed later under a lower number, by a younger transaction than its own', async () => {
    const { read, readOn } = await reader(['event']);
    const written: string[] = [];
    const early = await begun();
    const late = await begun();
    await readOn(undefined, async () => {
      written.push(await logChange(late, organizationId), await logChange(early, organizationId));
      await early.commit();
    });
    await readOn(undefined, () => late.commit());
    await readOn();
    expect(await read()).toEqual(written.toSorted());
  });

  it('lacks no change of a kind that was added while a page was about to be read', async () => {
    const { webhook, read, readOn } = await reader(['form']);
    let added: string | undefined;
    await readOn(async () => {
      const changed = `kinds = '{form,event}', redirected_at = clock_timestamp(), unread = true`;
      await database.execute(`update webhook set ${changed} where id = ?`, [webhook.id]);
      added = await logChange(database, organizationId);
    });
    await readOn();
    expect(await read()).toEqual([added]);
  });
});

it('two processes that read the same page queue its changes once', async () => {
  const { read, readOn } = await reader(['event']);
  const written = await logChange(database, organizationId);
  const other = async () => {
    const [own] = (await findLogReaders(db, [organizationId])).slice(-1);
    await readWebhookLog(db, own as LogReader, time);
  };
  expect(await readOn(undefined, other)).toEqual({ changes: [], more: true });
  expect(await read()).toEqual([written]);
});
