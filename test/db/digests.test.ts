import type { EntityManager } from '@mikro-orm/postgresql';
import { describe, expect, it, type MockInstance, vi } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { readSettings } from '../../src/config/settings.ts';
import { MailBudgets } from '../../src/domain/mail/mail-budgets.ts';
import { digestMail } from '../../src/domain/subscription/digest-mail.ts';
import { LinkTokens } from '../../src/domain/subscription/link-tokens.ts';
import type { Database, UnitOfWork } from '../../src/engine/database.ts';
import { type ClaimedJob, JobQueue } from '../../src/engine/jobs/job-queue.ts';
import { composeMail } from '../../src/jobs/compose-mail.ts';
import { gatherMails } from '../../src/jobs/gather-mails.ts';
import { eventMailRules } from '../../src/jobs/mails.ts';
import { Limits } from '../../src/kernel/limits/limits.ts';
import { noticeWalker, useOutboxes } from '../support/outboxes.ts';

const { bounds } = readSettings({ NODE_ENV: 'test' });
const here = useOutboxes();
const { execute, world, commitSwitch, switchTo, queueChange, hurry } = here;

const queueOf = (db: Database = here.db) => new JobQueue(db, 'event_mails', eventMailRules(db));
async function claim(queue = queueOf()): Promise<ClaimedJob> {
  const jobs = await queue.claim(1);
  return jobs[0] ?? expect.fail('nothing is due');
}
const waiting = () =>
  execute<{ kind: string; data: { told: object } }>(
    `select kind, data from job where lane ~ 'mails' order by position, id`,
  );
/** Where the budget of the recipient is used up. */
async function spentWorld() {
  const made = await world();
  await here.startOutbox();
  for (let time = 0; time < 6; time += 1) await switchTo(made.eventId, time % 2 === 0 ? 2 : 1);
  await here.settle(0);
  expect(here.mailsTo(made.email)).toHaveLength(6);
  return made;
}
describe('what a digest takes for known', () => {
  it('is what was so before the first of its changes, however many mails there have been', async () => {
    const { eventId, subscriptionId } = await world();
    // 10 comes before 9 if compared as text
    await execute(`select setval('job_position_seq', 8)`);
    await switchTo(eventId, 2);
    const queue = queueOf();
    const job = await claim(queue);
    await switchTo(eventId, 1);
    expect(await execute(`select position from job where lane ~ 'mails' order by position`)).toEqual([
      { position: '9' },
      { position: expect.stringMatching(/^1\d$/) },
    ]);
    await gatherMails(here.db, job, 3_600);
    expect((await waiting()).map(({ data }) => data.told)).toEqual([{ [`${subscriptionId}:cancelled`]: false }]);
  });

  it('is not what a notice knew that was committed before the digest was queued, and queued after it', async () => {
    const { eventId, subscriptionId } = await world();
    for (let time = 0; time < 6; time += 1) await switchTo(eventId, time % 2 === 0 ? 2 : 1);
    await commitSwitch(eventId, 2);
    await commitSwitch(eventId, 1);
    const walk = noticeWalker(here.db);
    await walk();
    await execute(`delete from job where lane ~ 'mails' and kind = 'event_notice'`);
    const queue = queueOf();
    const digest = await claim(queue);
    expect(digest.kind).toBe('subscription_digest');
    await walk();
    expect((await waiting()).map(({ kind }) => kind)).toEqual(['subscription_digest', 'event_notice']);
    await gatherMails(here.db, digest, 3_600);
    expect((await waiting()).map(({ data }) => data.told)).toEqual([{ [`${subscriptionId}:cancelled`]: false }]);
  });
});

describe('a mail that is queued beside a waiting digest', () => {
  it('becomes part of it when it is found', async () => {
    const { eventId, subscriptionId } = await world();
    await switchTo(eventId, 2);
    const queue = queueOf();
    await gatherMails(here.db, await claim(queue), 3_600);
    await queueChange(subscriptionId, { bounded: false });
    expect(await queue.claim(5)).toEqual([]);
    expect(queue.wanted).toBe(true);
    const told = { [`${subscriptionId}:cancelled`]: false, [`${subscriptionId}:status`]: 'pending' };
    expect(await execute(`select kind, held, data, due_at > now() as later from job where lane ~ 'mails'`)).toEqual([
      { kind: 'subscription_digest', held: false, later: true, data: { more: false, told } },
    ]);
  });

  it('becomes part of it at once if it is committed while the digest is being made', async () => {
    const { eventId, subscriptionId } = await world();
    await switchTo(eventId, 2);
    let others = 1;
    class Busy extends PostgresDatabase<EntityManager> {
      override async transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
        const result = await super.transaction(work);
        if (others-- > 0) await queueChange(subscriptionId, { bounded: false });
        return result;
      }
    }
    await gatherMails(new Busy(here.orm), await claim(), 3_600);
    expect((await waiting()).map(({ kind, data }) => [kind, Object.keys(data.told).length])).toEqual([
      ['subscription_digest', 2],
    ]);
  });
});

describe('a digest that is due', () => {
  const compose = async (eventId: string, subscriptionId: string) => {
    await execute('update event set status = 2 where id = ?', [eventId]);
    const scope = {
      db: here.db,
      services: { limits: new Limits(null, bounds), linkTokens: new LinkTokens('x') },
      publicUrl: 'http://events.test',
      first: true,
    };
    return await composeMail(scope, digestMail.kind, { told: { [`${subscriptionId}:cancelled`]: false } });
  };
  const gather = (eventId: string, due: string) =>
    execute(`insert into event_change_notice (event_id, former, due_at) values (?, '{}', ${due})`, [eventId]);

  it('waits while a change of time or place is being gathered, whose result it would tell', async () => {
    const { eventId, subscriptionId } = await world();
    await gather(eventId, "now() + interval '2 minutes'");
    const wait = await compose(eventId, subscriptionId);
    expect(wait).toEqual({ kind: 'postponed', seconds: expect.closeTo(120, -1) });
    await execute("update event_change_notice set due_at = date_trunc('milliseconds', now())");
    expect(await compose(eventId, subscriptionId)).toEqual({ kind: 'postponed', seconds: 5 });
    await execute('delete from event_change_notice');
    expect(await compose(eventId, subscriptionId)).toMatchObject({ items: [{ cancelled: true }] });
  });

  it.each([
    ['waits until the event is active', "'infinity'"],
    ['keeps failing', "now() - interval '2 minutes'"],
  ])('does not wait for a gathered change that %s', async (_, due) => {
    const { eventId, subscriptionId } = await world();
    await gather(eventId, due);
    expect(await compose(eventId, subscriptionId)).toMatchObject({ kind: 'subscription_digest' });
  });

  it('does not wait for a notice that keeps failing, nor for those behind it', async () => {
    const { eventId, subscriptionId } = await world();
    await commitSwitch(eventId, 2);
    await commitSwitch(eventId, 1);
    expect(await compose(eventId, subscriptionId)).toEqual({ kind: 'postponed', seconds: 5 });
    await execute(`update job set attempts = 1, error = 'failed', due_at = now() + interval '1 minute'
      where position = (select min(position) from job where lane = 'notices')`);
    expect(await compose(eventId, subscriptionId)).toMatchObject({ kind: 'subscription_digest' });
  });
});

it('a mail about a subscription waits for no notice behind one that keeps failing', async () => {
  const { eventId, subscriptionId } = await world();
  await commitSwitch(eventId, 2);
  await commitSwitch(eventId, 1);
  await queueChange(subscriptionId, { bounded: false });
  expect(await queueOf().claim(1)).toEqual([]);
  await execute(
    `update job set attempts = 1, error = 'failed' where position = (select min(position) from job where lane = 'notices')`,
  );
  await hurry();
  expect(await claim()).toMatchObject({ kind: 'subscription_changed' });
});

describe('a process that dies before it gives back what it counted', () => {
  const diedOnce = async (died: MockInstance) => {
    await expect.poll(() => died.mock.calls.length).toBe(1);
    died.mockRestore();
  };

  /** With a digest of an event that was cancelled. */
  const dieWithDigest = async (meanwhile: (eventId: string) => Promise<unknown>) => {
    const { eventId } = await world();
    await switchTo(eventId, 2);
    await gatherMails(here.db, await claim(), 0);
    await meanwhile(eventId);
    const died = vi.spyOn(MailBudgets.prototype, 'giveBack').mockRejectedValue(new Error('died'));
    await here.startOutbox();
    await diedOnce(died);
  };

  it('leaves a postponed mail that counts again', async () => {
    // its notice is still to be queued, so the digest waits
    await dieWithDigest((eventId) => commitSwitch(eventId, 1));
    expect(await execute(`select attempts, due_at > now() as later from job where lane ~ 'mails'`)).toEqual([
      { attempts: 0, later: true },
    ]);
  });

  it('leaves no mail that there was no reason to send', async () => {
    await dieWithDigest(() => execute('update event set status = 1'));
    expect(await waiting()).toEqual([]);
  });

  it('leaves a mail beyond the budget of its recipient as part of a digest', async () => {
    const { eventId } = await spentWorld();
    const died = vi.spyOn(MailBudgets.prototype, 'giveBack').mockRejectedValue(new Error('died'));
    await switchTo(eventId, 2);
    await diedOnce(died);
    expect((await waiting()).map(({ kind }) => kind)).toEqual(['subscription_digest']);
  });
});

describe('a process that dies before it has counted a mail, or put it off', () => {
  const claimAgain = async () => {
    await hurry();
    return await claim();
  };

  it('leaves a mail that counts when it is claimed again', async () => {
    const { eventId } = await world();
    await switchTo(eventId, 2);
    expect(await claim()).toMatchObject({ attempts: 1, isFresh: true });
    expect(await claimAgain()).toMatchObject({ attempts: 2, isFresh: true });
  });

  it('leaves a mail that is put off by the next process', async () => {
    const { eventId, email } = await spentWorld();
    const transaction = here.db.transaction.bind(here.db);
    const died = vi.spyOn(here.db, 'transaction').mockImplementation(async (work) => {
      if (String(work).includes('const gathered')) throw new Error('died');
      return await transaction(work);
    });
    await switchTo(eventId, 2);
    await expect.poll(() => died.mock.settledResults.filter(({ type }) => type === 'rejected').length).toBe(1);
    died.mockRestore();
    expect(await execute(`select kind, attempts, error from job where lane ~ 'mails'`)).toEqual([
      { kind: 'event_notice', attempts: 1, error: null },
    ]);
    await hurry();
    await here.settle(0);
    expect((await waiting()).map(({ kind }) => kind)).toEqual(['subscription_digest']);
    expect(here.mailsTo(email)).toHaveLength(6);
  });
});

it('a mail that failed does not count again', async () => {
  const { eventId } = await world();
  await switchTo(eventId, 2);
  const queue = queueOf();
  await queue.again(await claim(queue), { seconds: 0, failed: 'ECONNECTION CONN' });
  expect(await claim(queue)).toMatchObject({ attempts: 2, isFresh: false });
});
