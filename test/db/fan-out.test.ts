import type { EntityManager } from '@mikro-orm/postgresql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import type { EventNotice } from '../../src/domain/event/event-notice.ts';
import { fanOutNotice } from '../../src/domain/event/fan-out-notice.ts';
import type { Database, UnitOfWork } from '../../src/engine/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertEvent, insertOrganization, insertSubscription, insertUser } from '../support/fixtures.ts';
import { ofThisDatabase } from '../support/locks.ts';
import { silentLog } from '../support/log.ts';
import { noticeWalker, queueNotices } from '../support/notices.ts';
import { insertSubscribers } from '../support/subscribers.ts';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = new PostgresDatabase(database.orm);
});
afterEach(() => database.drop());

const count = async (statement: string) =>
  (await database.execute<{ n: number }>(`select count(*)::int as n ${statement}`))[0]?.n;
const newEvent = async () => {
  const { id: organizationId } = await insertOrganization(database.orm);
  return (await insertEvent(database.orm, { organizationId })).id;
};
const notify = (eventId: string, notice: EventNotice, bounded = true) =>
  db.transaction((unit) =>
    fanOutNotice({ db: unit, bounded }, eventId, notice, { cancelled: notice === 'reinstated' }),
  );

describe('a notice', () => {
  it('is one row, whose mails are queued in pieces, and once by two processes of which one is killed', async () => {
    const eventId = await newEvent();
    await insertSubscribers(database.orm, eventId, 5_000);
    await insertSubscribers(database.orm, eventId, 100, 'cancelled');
    await notify(eventId, 'cancelled');
    expect([
      await count("from job where lane = 'notices'"),
      await count("from job where lane = 'event_mails'"),
    ]).toEqual([1, 0]);

    /** Dies before the commit of its third piece; each piece is a claim and a transaction of its own. */
    class Dying extends PostgresDatabase<EntityManager> {
      begun = 0;
      override async transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
        this.begun += 1;
        return await super.transaction(async (unit) => {
          const result = await work(unit);
          if (this.begun === 6)
            await database.execute(`select pg_terminate_backend(pid) from pg_locks
            where relation = 'job'::regclass and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()
              and ${ofThisDatabase}`);
          return result;
        });
      }
    }
    const dying = noticeWalker(new Dying(database.orm));
    expect([await dying(), await dying()]).toEqual([true, true]);
    const queued = await count("from job where lane = 'event_mails'");
    await dying().catch(() => undefined);
    expect(await count("from job where lane = 'event_mails'")).toBe(queued);
    expect(queued).toBeLessThan(1_001);
    await database.execute("update job set due_at = date_trunc('milliseconds', now()) where lane = 'notices'");
    const pieces = await Promise.all([queueNotices(db), queueNotices(db)]);
    expect(pieces[0] + pieces[1]).toBeGreaterThan(8);
    expect(await count("from job where lane = 'notices'")).toBe(0);
    expect([
      await count("from job where lane = 'event_mails'"),
      await count("from (select distinct about from job where lane = 'event_mails') a"),
    ]).toEqual([5_000, 5_000]);
    expect(await count('from job j join subscription s on s.id = j.about and s.user_id::text = j.key')).toBe(5_000);
  });

  it('goes to those who had subscribed before it', async () => {
    const eventId = await newEvent();
    await insertSubscribers(database.orm, eventId, 2);
    await notify(eventId, 'reinstated');
    const { id: userId } = await insertUser(database.orm);
    const createdAt = new Date(Date.now() + 60_000);
    await insertSubscription(database.orm, { eventId, userId, createdAt });
    await queueNotices(db);
    expect(await count("from job where lane = 'event_mails'")).toBe(2);
  });

  it('whose mails cannot be queued is tried again later, and stops none of other events', async () => {
    const [broken, whole] = [await newEvent(), await newEvent()];
    await insertSubscribers(database.orm, broken, 3);
    await insertSubscribers(database.orm, whole, 3);
    await database.execute(`create function refuse() returns trigger language plpgsql as $$ begin
      if exists (select from subscription where id = new.about and event_id = '${broken}') then raise exception 'no'; end if;
      return new; end $$`);
    await database.execute('create trigger refuse after insert on job for each row execute function refuse()');
    await notify(broken, 'cancelled');
    await notify(whole, 'cancelled');
    await notify(broken, 'reinstated');
    const warn = vi.fn();
    await queueNotices(db, { ...silentLog, warn });
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ event: broken, attempts: 1 }), expect.any(String));
    expect(await count("from job where lane = 'event_mails'")).toBe(3);
    expect(
      await database.execute(
        "select key, kind, attempts, due_at > now() as later, held from job where lane = 'notices' order by position",
      ),
    ).toEqual([
      { key: broken, kind: 'cancelled', attempts: 1, later: true, held: false },
      { key: broken, kind: 'reinstated', attempts: 0, later: true, held: true },
    ]);
    await database.execute('drop trigger refuse on job');
    await database.execute("update job set due_at = date_trunc('milliseconds', now()) where lane = 'notices'");
    await queueNotices(db);
    const order = await database.execute<{ notice: string }>(
      `select data->>'notice' as notice from job j join subscription s on s.id = j.about
        where event_id = ? order by key, position`,
      [broken],
    );
    expect(order.map(({ notice }) => notice)).toEqual(Array(3).fill(['cancelled', 'reinstated']).flat());
  });

  it('of one organization waits for a piece of those of another one at most', async () => {
    const { id: organizationId } = await insertOrganization(database.orm);
    for (let event = 0; event < 4; event += 1) {
      const { id } = await insertEvent(database.orm, { organizationId });
      await insertSubscribers(database.orm, id, 1_500);
      await notify(id, 'cancelled');
    }
    const other = await newEvent();
    await insertSubscribers(database.orm, other, 5);
    await notify(other, 'cancelled');
    const walk = noticeWalker(db);
    await walk();
    await walk();
    expect(await count(`from job j join subscription s on s.id = j.about where event_id = '${other}'`)).toBe(5);
  });
});

it('many notices of one event are a bounded number of rows, and of mails to each subscriber', async () => {
  const eventId = await newEvent();
  await insertSubscribers(database.orm, eventId, 10);
  for (let time = 0; time < 20; time += 1) await notify(eventId, time % 2 === 0 ? 'cancelled' : 'reinstated');
  expect(await count("from job where lane = 'notices'")).toBe(7);
  for (let time = 0; time < 20; time += 1) {
    await queueNotices(db);
    await notify(eventId, time % 2 === 0 ? 'cancelled' : 'reinstated');
  }
  await queueNotices(db);
  expect(await count("from job where lane = 'event_mails'")).toBe(70);
  expect(await count(`from job where kind = 'subscription_digest'`)).toBe(10);
});
