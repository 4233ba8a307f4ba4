import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { changeKinds } from '../../src/domain/change/change.table.ts';
import { ChangeStream } from '../../src/domain/change/change-stream.ts';
import { type Batch, OrganizationReader } from '../../src/domain/change/organization-reader.ts';
import type { MemberContext } from '../../src/engine/context.ts';
import type { Database } from '../../src/engine/database.ts';
import { ClientWaits } from '../../src/kernel/request.ts';

const organizationId = '01900000-0000-7000-8000-000000000001';

const realImmediate = setImmediate;
/** Lets the process do something else, as every statement does. */
const yielded = () => new Promise((resolve) => realImmediate(resolve));

afterEach(() => void vi.useRealTimers());

/** A log that begins empty, in a database where these transactions are open. */
function logOf(open: readonly number[] = []) {
  const log = { statements: 0, rows: [] as object[], wake: () => undefined as undefined };
  const snapshot = `1:1000:${open.join(',')}`;
  const db = {
    row: async () => ({ snapshot, ahead: 0, floor: null, seq: null, id: null }),
    rows: async () => {
      log.statements += 1;
      await yielded();
      return [{ head: { snapshot, ahead: 0, floor: null, known: null, restores: null } }, ...log.rows];
    },
  } as unknown as Database;
  const watch = (_id: string, wake: () => void) => {
    Object.assign(log, { wake });
    return () => undefined;
  };
  const warn = (fault: unknown) => expect.fail(JSON.stringify(fault));
  return {
    log,
    db,
    reader: new OrganizationReader(organizationId, { db, watch, retentionDays: 30, log: { warn } as never }),
  };
}

/** Follows a reader. */
const following = (batches: Batch[] = []) => ({
  take: (batch: Batch) => void batches.push(batch),
  end: (error: Error) => expect.fail(error.message),
});

function change(seq: number, x: number): object {
  const nothing = { object_id: null, event_id: null, user_id: null, version: null, actor_id: null };
  const what = { kind: 'event', op: 'changed', member_op: null, occurred_at: '2026-01-01 10:00:00+00' };
  return { seq: String(seq), x: String(x), id: '01900000-0000-7000-8000-00000000000a', ...what, ...nothing };
}

it.each(Array.from({ length: 12 }, (_, index) => index))(
  'a reader reads for whoever follows while it ends, after %i steps',
  async (steps) => {
    const { log, reader } = logOf();
    const leave = await reader.follow(following());
    await sleep(1);
    leave();
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    const batches: Batch[] = [];
    const leaveLater = await reader.follow(following(batches));
    await sleep(1);
    log.rows = [change(1, 900)];
    log.wake();
    await expect.poll(() => batches.length, { timeout: 1_000 }).toBeGreaterThan(0);
    leaveLater();
  },
);

it('a reader who has to wait for one of very many transactions does not ask without a pause', async () => {
  const { log, reader } = logOf(Array.from({ length: 201 }, (_, index) => 100 + index));
  const leave = await reader.follow(following());
  await sleep(1);
  // written by the youngest of them, which a moment does not name
  log.rows = [change(1, 300)];
  log.statements = 0;
  log.wake();
  for (let turn = 0; turn < 1_000; turn += 1) await yielded();
  expect(log.statements).toBeLessThan(5);
  leave();
});

it('a stream with nothing new says so again after ten minutes, with a newer cursor', async () => {
  vi.useFakeTimers();
  const { db, reader } = logOf();
  let opened = 0;
  const ctx = {
    ...{ db, viewer: { userId: organizationId }, membership: { organizationId, role: 'manager' } },
    ...{ now: new Date(), waits: new ClientWaits(), log: {}, client: {} },
    services: {
      changes: { ending: new AbortController().signal },
      access: { onChange: () => () => undefined, isListening: true },
      settings: { changesRetentionDays: 30 },
      cursors: { bind: () => ({ sealBody: (body: Buffer) => body.toString('hex') }) },
    },
    openDatabase: () => {
      opened += 1;
      // checks of access, which begin once the log was read twice
      if (opened > 2) throw new Error('the database is away');
      return { db, end: () => undefined };
    },
  } as unknown as MemberContext;
  const stream = new ChangeStream(
    ctx,
    { token: null, pointer: '', since: 'start', kinds: changeKinds, size: 50 },
    reader,
  );
  await stream.begin();
  const messages = stream.messages(() => undefined);
  const read = async () => (await messages.next()).value as { type: string; cursor: string };
  const begun = read();
  // reading takes its time
  await vi.advanceTimersByTimeAsync(5);
  const first = await begun;
  const next = read();
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  const second = await Promise.race([next, 'nothing']);
  expect([first, second]).toMatchObject([{ type: 'caught up' }, { type: 'caught up' }]);
  expect((second as typeof first).cursor).not.toBe(first.cursor);
  await messages.return();
});
