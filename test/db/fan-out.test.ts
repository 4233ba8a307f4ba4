import { randomUUIDv7 } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { describe, expect, it, vi } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { passwordChangedMail } from '../../src/domain/account/account-mail.ts';
import type { EventNotice } from '../../src/domain/event/event-notice.ts';
import { fanOutNotice } from '../../src/domain/event/fan-out-notice.ts';
import { queueMail } from '../../src/domain/mail/mail.ts';
import type { UnitOfWork } from '../../src/engine/database.ts';
import { insertEvent, insertOrganization, insertSubscription, insertUser } from '../support/fixtures.ts';
import { ofThisDatabase } from '../support/locks.ts';
import { silentLog } from '../support/log.ts';
import { noticeWalker, queueNotices, useOutboxes } from '../support/outboxes.ts';
import { insertSubscribers } from '../support/subscribing.ts';

const here = useOutboxes();
const { counted, startOutbox, world, switchTo, mailsTo } = here;

const newEvent = async () =>
  (await insertEvent(here.orm, { organizationId: (await insertOrganization(here.orm)).id })).id;
const notices = () => counted("from job where lane = 'notices'");
const mails = () => counted("from job where lane = 'event_mails'");
const notify = (eventId: string, notice: EventNotice, bounded = true) =>
  here.db.transaction((unit) =>
    fanOutNotice({ db: unit, bounded }, eventId, notice, { cancelled: notice === 'reinstated' }),
  );

describe('the queue', () => {
  it('lets organizations take turns, however much one has waiting', async () => {
    const [large, small] = [await world(), await world()];
    await insertSubscribers(here.orm, large.eventId, 2_000);
    await switchTo(large.eventId, 2);
    here.smtp.delayOf = () => 5;
    await startOutbox({ limited: false });
    await expect.poll(() => here.smtp.received.length).toBeGreaterThan(10);
    const before = here.smtp.received.length;
    await switchTo(small.eventId, 2);
    await expect.poll(() => mailsTo(small.email), { interval: 5 }).toHaveLength(1);
    expect(here.smtp.received.length - before).toBeLessThan(200);
  });

  it('keeps slots for the mails that somebody waits for while all mails about events are slow', async () => {
    const { eventId } = await world();
    await insertSubscribers(here.orm, eventId, 50);
    await switchTo(eventId, 2);
    const { id, email } = await insertUser(here.orm, { email: `link-${randomUUIDv7()}@example.org` });
    here.smtp.delayOf = (to) => (to.includes(email) ? 0 : 60_000);
    await startOutbox({ limited: false });
    await expect.poll(() => here.smtp.heard.length).toBeGreaterThan(5);
    await queueMail({ db: here.db }, passwordChangedMail, { userId: id });
    await expect.poll(() => mailsTo(email), { interval: 25 }).toHaveLength(1);
  });

  it('sends a mail after the notice of an earlier change that is still being queued', async () => {
    const { eventId, subscriptionId, email } = await world();
    await notify(eventId, 'reinstated');
    await here.queueChange(subscriptionId, { status: 'pending', told: 'accepted' });
    const other = await world();
    await here.queueChange(other.subscriptionId, { status: 'pending', told: 'accepted' });
    await startOutbox();
    await expect.poll(() => mailsTo(other.email)).toHaveLength(1);
    expect(mailsTo(email)).toEqual([]);
    await queueNotices(here.db);
    await expect.poll(() => mailsTo(email)).toHaveLength(2);
    expect(mailsTo(email).map(({ subject }) => subject?.split(':')[0])).toEqual([
      'Going ahead after all',
      'Waiting for approval',
    ]);
  });
});

describe('a notice', () => {
  it('is one row, whose mails are queued in pieces, and once by two processes of which one is killed', async () => {
    const eventId = await newEvent();
    await insertSubscribers(here.orm, eventId, 5_000);
    await insertSubscribers(here.orm, eventId, 100, 'cancelled');
    await notify(eventId, 'cancelled');
    expect([await notices(), await mails()]).toEqual([1, 0]);

    /** Dies before the commit of its third piece; each piece is a claim and a transaction of its own. */
    class Dying extends PostgresDatabase<EntityManager> {
      begun = 0;
      override async transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
        this.begun += 1;
        return await super.transaction(async (unit) => {
          const result = await work(unit);
          if (this.begun === 6)
            await here.execute(`select pg_terminate_backend(pid) from pg_locks
            where relation = 'job'::regclass and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()
              and ${ofThisDatabase}`);
          return result;
        });
      }
    }
    const dying = noticeWalker(new Dying(here.orm));
    expect([await dying(), await dying()]).toEqual([true, true]);
    const queued = await mails();
    await dying().catch(() => undefined);
    expect(await mails()).toBe(queued);
    expect(queued).toBeLessThan(1_001);
    await here.execute("update job set due_at = date_trunc('milliseconds', now()) where lane = 'notices'");
    const pieces = await Promise.all([queueNotices(here.db), queueNotices(here.db)]);
    expect(pieces[0] + pieces[1]).toBeGreaterThan(8);
    expect(await notices()).toBe(0);
    expect(await mails()).toBe(5_000);
    expect(await counted("from (select distinct about from job where lane = 'event_mails') a")).toBe(5_000);
    expect(await counted('from job j join subscription s on s.id = j.about and s.user_id::text = j.key')).toBe(5_000);
  });

  it('goes to those who had subscribed before it', async () => {
    const eventId = await newEvent();
    await insertSubscribers(here.orm, eventId, 2);
    await notify(eventId, 'reinstated');
    const { id: userId } = await insertUser(here.orm);
    const createdAt = new Date(Date.now() + 60_000);
    await insertSubscription(here.orm, { eventId, userId, createdAt });
    await queueNotices(here.db);
    expect(await mails()).toBe(2);
  });

  it('whose mails cannot be queued is tried again later, and stops none of other events', async () => {
    const [broken, whole] = [await newEvent(), await newEvent()];
    await insertSubscribers(here.orm, broken, 3);
    await insertSubscribers(here.orm, whole, 3);
    await here.execute(`create function refuse() returns trigger language plpgsql as $$ begin
      if exists (select from subscription where id = new.about and event_id = '${broken}') then raise exception 'no'; end if;
      return new; end $$`);
    await here.execute('create trigger refuse after insert on job for each row execute function refuse()');
    await notify(broken, 'cancelled');
    await notify(whole, 'cancelled');
    await notify(broken, 'reinstated');
    const warn = vi.fn();
    await queueNotices(here.db, { ...silentLog, warn });
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ event: broken, attempts: 1 }), expect.any(String));
    expect(await mails()).toBe(3);
    expect(
      await here.execute(
        "select key, kind, attempts, due_at > now() as later, held from job where lane = 'notices' order by position",
      ),
    ).toEqual([
      { key: broken, kind: 'cancelled', attempts: 1, later: true, held: false },
      { key: broken, kind: 'reinstated', attempts: 0, later: true, held: true },
    ]);
    await here.execute('drop trigger refuse on job');
    await here.execute("update job set due_at = date_trunc('milliseconds', now()) where lane = 'notices'");
    await queueNotices(here.db);
    const order = await here.execute<{ notice: string }>(
      `select data->>'notice' as notice from job j join subscription s on s.id = j.about
        where event_id = ? order by key, position`,
      [broken],
    );
    expect(order.map(({ notice }) => notice)).toEqual(Array(3).fill(['cancelled', 'reinstated']).flat());
  });

  it('of one organization waits for a piece of those of another one at most', async () => {
    const { id: organizationId } = await insertOrganization(here.orm);
    for (let event = 0; event < 4; event += 1) {
      const { id } = await insertEvent(here.orm, { organizationId });
      await insertSubscribers(here.orm, id, 1_500);
      await notify(id, 'cancelled');
    }
    const other = await newEvent();
    await insertSubscribers(here.orm, other, 5);
    await notify(other, 'cancelled');
    const walk = noticeWalker(here.db);
    await walk();
    await walk();
    expect(await counted(`from job j join subscription s on s.id = j.about where event_id = '${other}'`)).toBe(5);
  });
});

it('many notices of one event are a bounded number of rows, and of mails to each subscriber', async () => {
  const eventId = await newEvent();
  await insertSubscribers(here.orm, eventId, 10);
  for (let time = 0; time < 20; time += 1) await notify(eventId, time % 2 === 0 ? 'cancelled' : 'reinstated');
  expect(await notices()).toBe(7);
  for (let time = 0; time < 20; time += 1) {
    await queueNotices(here.db);
    await notify(eventId, time % 2 === 0 ? 'cancelled' : 'reinstated');
  }
  await queueNotices(here.db);
  expect(await mails()).toBe(70);
  expect(await counted(`from job where kind = 'subscription_digest'`)).toBe(10);
});
