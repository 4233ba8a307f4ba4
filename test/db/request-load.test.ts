import { beforeEach, describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { Subscription } from '../../src/domain/subscription/subscription.entity.ts';
import type { Context } from '../../src/engine/context.ts';
import { ClientWaits } from '../../src/kernel/request.ts';
import { DatabaseShare, SharedDatabase } from '../../src/kernel/turns/database-share.ts';
import { Usage } from '../../src/kernel/usage.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertEvent, insertMember, insertSubscription } from '../support/fixtures.ts';
import { silentLog } from '../support/log.ts';
import { shared } from '../support/shared.ts';
import { sql } from '../support/sql.ts';

let all: SharedDatabase;
const database = await shared(createTestDatabase({ poolSize: 4 }));
const pool = await database.orm.em.getConnection().getNativeClient();
const shares = { userShare: 100, organizationShare: 100, patience: 5_000 };
await pool.query('create table written (n int)');
beforeEach(async () => {
  await pool.query('truncate written');
  all = new SharedDatabase(pool, { ...shares, largeValueBytes: 32_000_000 });
});

const contextOf = (userId: string) => {
  const given = { viewer: { userId, sessionId: userId }, membership: null, publicScope: null, client: {} };
  return { ...given, waits: new ClientWaits(), usage: new Usage(), log: silentLog } as unknown as Context;
};
const request = (userId: string) => new PostgresDatabase(database.orm, new DatabaseShare(contextOf(userId), all));
const megabytes = (count: number) => sql`select repeat('0', 1000000) as long from generate_series(1, ${count}::int)`;
const write = sql`insert into written values (1) returning n`;
const written = async () => (await pool.query('select n from written')).rows.length;
const tooLarge = { code: 'INVALID_QUERY', detail: expect.stringContaining('16 MB') };

describe('what a request loads', () => {
  it('inside and outside of transactions counts together', async () => {
    const db = request('a');
    expect(await db.rows(megabytes(8))).toHaveLength(8);
    const loading = db.transaction(async (unit) => {
      await unit.rows(write);
      return await unit.rows(megabytes(9));
    });
    await expect(loading).rejects.toMatchObject(tooLarge);
    expect(await written()).toBe(0);
    // what failed is held no longer
    expect(await db.transaction((unit) => unit.rows(megabytes(7)))).toHaveLength(7);
    await expect(db.rows(megabytes(2))).rejects.toMatchObject(tooLarge);
    db.end();
  });

  it('is also what the ORM loads', async () => {
    const { id: userId, organizationId } = await insertMember(database.orm);
    const { id: eventId } = await insertEvent(database.orm, { organizationId });
    for (let index = 0; index < 9; index += 1) {
      await insertSubscription(database.orm, { eventId, userId, answers: { text: 'x'.repeat(2_000_000) } });
    }
    const db = request('a');
    const found = db.transaction(async ({ em }) => {
      await em.execute('insert into written values (1)');
      return await em.find(Subscription, { event_id: eventId }, { populate: ['answers'] });
    });
    await expect(found).rejects.toMatchObject(tooLarge);
    expect(await written()).toBe(0);
    db.end();
  });
});

describe('without a free slot', () => {
  /** Requests that hold both slots. */
  const occupy = () =>
    ['x', 'y'].map((userId) => {
      const load = new DatabaseShare(contextOf(userId), all);
      expect(load.take(1_000_000)).toBeNull();
      return load;
    });
  const nobodyHoldsAConnection = () => expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);

  it('a statement waits without a connection, and then runs again', async () => {
    const [holder] = occupy();
    const db = request('a');
    expect(await db.rows(sql`select repeat('0', 1000) as short`)).toHaveLength(1);
    let isDone = false;
    const loading = db.rows(megabytes(3)).finally(() => {
      isDone = true;
    });
    await nobodyHoldsAConnection();
    // as long as others are served
    expect(await request('b').rows(sql`select 1 as one`)).toHaveLength(1);
    expect(isDone).toBe(false);
    holder?.end();
    expect(await loading).toHaveLength(3);
    db.end();
  });

  it('a transaction is rolled back, waits without a connection or locks, and runs again', async () => {
    const [holder] = occupy();
    const db = request('a');
    let runs = 0;
    const loading = db.transaction(async (unit) => {
      runs += 1;
      await unit.rows(write);
      return await unit.rows(megabytes(15));
    });
    await expect.poll(() => runs).toBe(1);
    await nobodyHoldsAConnection();
    expect(await written()).toBe(0);
    holder?.end();
    expect(await loading).toHaveLength(15);
    expect([runs, await written()]).toEqual([2, 1]);
    db.end();
    expect(all.held).toBe(0);
  });

  it('a slot is free again once the response is handed over and what still ran has ended', async () => {
    const db = request('a');
    const loaded = Promise.withResolvers<void>();
    const going = Promise.withResolvers<void>();
    const loading = db.transaction(async (unit) => {
      await unit.rows(megabytes(1));
      loaded.resolve();
      await going.promise;
    });
    await loaded.promise;
    // the client has disconnected, and the transaction runs on
    db.end();
    const [first, second] = [new DatabaseShare(contextOf('p'), all), new DatabaseShare(contextOf('q'), all)];
    expect(first.take(200_000)).toBeNull();
    expect(second.take(200_000)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    going.resolve();
    await loading;
    expect(second.take(200_000)).toBeNull();
  });
});
