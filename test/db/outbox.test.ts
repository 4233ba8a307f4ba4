import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { passwordChangedMail } from '../../src/domain/account/account-mail.ts';
import { queueMail } from '../../src/domain/mail/mail.ts';
import type { SubscriptionStatus } from '../../src/domain/subscription/subscription.entity.ts';
import { renewClaims } from '../../src/engine/jobs/claims.ts';
import { JobQueue } from '../../src/engine/jobs/job-queue.ts';
import { eventMailRules } from '../../src/jobs/mails.ts';
import { type Lane, Runner } from '../../src/jobs/runner.ts';
import { insertEvent, insertOrganization, insertSubscription, insertUser } from '../support/fixtures.ts';
import { silentLog } from '../support/log.ts';
import { useOutboxes } from '../support/outboxes.ts';

const here = useOutboxes();

/** The outbox of a process, which looks for mails all the time, unless told otherwise. */
async function startOutbox(pollInterval = 50): Promise<Runner> {
  return (await here.startOutbox({ limited: false, pollInterval })).outbox;
}

async function queue(): Promise<string> {
  const { id, email } = await insertUser(here.orm, { email: `slow-${randomUUIDv7()}@example.org` });
  await queueMail({ db: here.db }, passwordChangedMail, { userId: id });
  return email;
}

const jobs = () => here.execute(`select * from job where lane ~ 'mails'`);
const sentAll = (timeout = 30_000) => expect.poll(jobs, { timeout, interval: 25 }).toEqual([]);

describe('a mail that takes longer than a claim of it lasts', () => {
  it('is sent once, by one of two processes', async () => {
    here.smtp.delayOf = () => 12_000;
    const email = await queue();
    await startOutbox();
    await startOutbox();
    await sentAll();
    expect(here.smtp.received.map(({ to }) => to)).toEqual([[email]]);
    // nor has anybody begun to send it again
    expect(here.smtp.heard).toHaveLength(1);
  });

  it('does not keep others waiting', async () => {
    const slow = await queue();
    here.smtp.delayOf = (to) => (to.includes(slow) ? 60_000 : 0);
    await startOutbox();
    await expect.poll(() => here.smtp.heard).toHaveLength(1);
    const quick = await Promise.all(Array.from({ length: 20 }, queue));
    await expect.poll(() => here.smtp.received, { interval: 25 }).toHaveLength(20);
    expect(here.smtp.received.flatMap(({ to }) => to).sort()).toEqual(quick.sort());
  });
});

it('claims the mails of several commits at once, within moments and after their responses', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const claims = vi.spyOn(JobQueue.prototype, 'claim');
  // with limits it asks once when it starts
  const { outbox } = await here.startOutbox({ pollInterval: 60_000 });
  await sleep(200);
  claims.mockClear();
  const nudgedAt: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    await queue();
    outbox.nudge('account_mails');
    nudgedAt.push(performance.now());
    if (count === 0) expect(claims).not.toHaveBeenCalled();
  }
  await sentAll();
  expect(here.smtp.received).toHaveLength(4);
  // each claim that finds mails is followed by one that finds no more
  const took = (nudgedAt.at(-1) as number) - (nudgedAt[0] as number);
  expect(claims.mock.calls.length).toBeLessThanOrEqual(2 * (1 + Math.ceil(took / 20)));
  claims.mockClear();
  for (let count = 0; count < 50; count += 1) outbox.nudge('account_mails');
  await expect.poll(() => claims.mock.calls.length).toBeGreaterThan(0);
  await queue();
  outbox.nudge('account_mails');
  await sentAll();
  // one for all of these nudges, and for the mail as above
  expect(claims.mock.calls.length).toBeLessThanOrEqual(3);
});

describe('mails about one subscription', () => {
  const statuses = ['pending', 'waitlisted', 'accepted', 'cancelled', 'declined'] as const;

  const queueChange = (subscriptionId: string, status: SubscriptionStatus) =>
    here.queueChange(subscriptionId, { status, told: null, bounded: false });

  /** Somebody whose subscription went through all statuses. */
  async function moved(): Promise<string> {
    const { id: organizationId } = await insertOrganization(here.orm);
    const { id: eventId } = await insertEvent(here.orm, { organizationId });
    const { id: userId, email } = await insertUser(here.orm);
    const { id: subscriptionId } = await insertSubscription(here.orm, { eventId, userId });
    for (const status of statuses) await queueChange(subscriptionId, status);
    return email;
  }
  const subjectsTo = (email: string) => here.mailsTo(email).map(({ subject }) => subject?.split(':')[0]);
  const inOrder = [
    'Waiting for approval',
    'You are on the waiting list',
    'You have a place',
    'Your subscription was cancelled',
    'Your subscription was declined',
  ];

  it('leave in the order of its changes, whichever process sends each and whenever it is queued', async () => {
    const first = await Promise.all(Array.from({ length: 6 }, moved));
    const about = await here.execute<{ id: string }>('select id from subscription');
    here.smtp.delayOf = () => Math.random() * 8;
    // neither a poll nor a claim that expires finds one that was left behind
    const processes = await Promise.all([1, 2, 3].map(() => startOutbox(600_000)));
    await Promise.all(
      about.map(async ({ id: subscriptionId }, index) => {
        for (let count = 0; count < 40; count += 1) {
          await queueChange(subscriptionId, 'accepted');
          processes[(index + count) % 3]?.nudge('event_mails');
        }
      }),
    );
    // a slow machine takes a minute
    await sentAll(200_000);
    expect(here.smtp.received).toHaveLength(6 * (statuses.length + 40));
    for (const email of first) expect(subjectsTo(email).slice(0, statuses.length)).toEqual(inOrder);
  }, 240_000);

  it('are due if the earlier one left while they were being held back', async () => {
    await moved();
    const db = here.db;
    const queueOf = () => new JobQueue(db, 'event_mails', eventMailRules(db));
    const [first] = await queueOf().claim(1);
    await here.execute(
      "update job set held = false, due_at = date_trunc('milliseconds', now()) where lane ~ 'mails' and attempts = 0",
    );
    // what another process does between the statements of a claim
    const transaction = db.transaction.bind(db);
    const spy = vi.spyOn(db, 'transaction').mockImplementation(async (work) => {
      const held = await transaction(work);
      spy.mockRestore();
      await here.execute(`delete from job where lane ~ 'mails' and id = '${first?.id}'`);
      return held;
    });
    const queue = queueOf();
    expect(await queue.claim(1)).toEqual([]);
    expect(await queue.claim(1)).toMatchObject([{ data: { status: 'waitlisted' } }]);
  });

  it('are looked at once while they wait for an earlier one, however many there are', async () => {
    const slow = await moved();
    await here.execute(
      `insert into job (id, lane, kind, data, organization_id, party, key)
        select gen_random_uuid(), lane, kind, data, organization_id, party, key from job, generate_series(1, 300) where kind = 'subscription_changed'`,
    );
    here.smtp.delayOf = (to) => (to.includes(slow) ? 60_000 : 0);
    await startOutbox();
    await expect.poll(() => here.smtp.heard).toHaveLength(1);
    const others = await Promise.all(Array.from({ length: 10 }, moved));
    await expect.poll(() => here.smtp.received, { interval: 25 }).toHaveLength(10 * statuses.length);
    for (const email of others) expect(subjectsTo(email)).toEqual(inOrder);
    const due = () => here.execute(`select id from job where lane ~ 'mails' and due_at <= now()`);
    await expect.poll(due, { interval: 25 }).toEqual([]);
  });

  it('keep no others waiting while they cannot be claimed in time', async () => {
    const claim = JobQueue.prototype.claim;
    vi.spyOn(JobQueue.prototype, 'claim').mockImplementation(async function (this: JobQueue, ...given) {
      if (this.lane === 'event_mails') throw new Error('statement timeout');
      return await claim.apply(this, given);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const email = await queue();
    await startOutbox();
    await sentAll();
    expect(here.smtp.received.map(({ to }) => to)).toEqual([[email]]);
  });

  it('do not wait for a poll, nor for one that was given up', async () => {
    here.smtp.refusal = { code: 550, text: 'No such user' };
    const email = await moved();
    here.smtp.delayOf = () => {
      // the first is refused
      if (here.smtp.heard.length > 1) here.smtp.refusal = null;
      return 0;
    };
    await startOutbox(60_000);
    await expect.poll(() => subjectsTo(email), { interval: 25 }).toEqual(inOrder.slice(1));
  });
});

describe('a stop', () => {
  it('sends what was committed right before it', async () => {
    const outbox = await startOutbox(60_000);
    await sleep(200);
    const email = await queue();
    outbox.nudge('account_mails');
    await outbox.stop();
    expect(here.smtp.received.map(({ to }) => to)).toEqual([[email]]);
    expect(await jobs()).toEqual([]);
  });

  it('cuts off what a mail server does not answer, and leaves it to other processes', async () => {
    here.smtp.silent = true;
    const email = await queue();
    const outbox = await startOutbox();
    await expect.poll(() => here.smtp.heard).toHaveLength(1);
    await outbox.stop();
    expect(await jobs()).toMatchObject([{ attempts: 1, error: expect.stringContaining('EABORT') }]);
    here.smtp.silent = false;
    await startOutbox();
    await sentAll();
    expect(here.smtp.received.map(({ to }) => to)).toEqual([[email]]);
  });
});

describe('a claim', () => {
  it('is kept for as long as it can be renewed', async () => {
    await queue();
    const [job] = await new JobQueue(here.db, 'account_mails').claim(1);
    await here.execute("update job set due_at = now() + interval '1 second'");
    expect(await renewClaims(here.db, [job as never])).toEqual(new Set([job?.id]));
    expect(await here.counted("from job where due_at > now() + interval '9 seconds'")).toBe(1);
    await here.execute('update job set attempts = attempts + 1');
    expect(await renewClaims(here.db, [job as never])).toEqual(new Set());
  });

  it("is given up if it is somebody else's, and before it is over if renewing gets no answer", {
    timeout: 60_000,
  }, async () => {
    const reasons: unknown[] = [];
    const lane: Lane = {
      queue: new JobQueue(here.db, 'account_mails'),
      free: (countOf) => 1 - countOf('account_mails'),
      run: (_, signal) =>
        new Promise((resolve) => {
          const since = performance.now();
          signal.addEventListener('abort', () => {
            reasons.push([String(signal.reason), performance.now() - since]);
            resolve();
          });
        }),
    };
    await queue();
    const rows = here.db.rows.bind(here.db);
    let answers = true;
    const db = Object.assign(Object.create(here.db), {
      rows: async (...given: Parameters<typeof rows>) => {
        if (!answers && given[0].sql.includes('job.claimed')) return await new Promise(() => undefined);
        return await rows(...given);
      },
    });
    const runner = new Runner({ db, lanes: [lane], log: silentLog, pollInterval: 50 });
    runner.start();
    await expect.poll(() => here.execute('select from job where claimed')).toHaveLength(1);
    await here.execute('update job set attempts = attempts + 1');
    await expect.poll(() => reasons.length).toBe(1);
    expect(reasons[0]).toEqual([expect.stringContaining('lost'), expect.any(Number)]);
    answers = false;
    await here.execute("update job set due_at = now() - interval '1 second', claimed = false");
    await expect.poll(() => reasons.length).toBe(2);
    const [reason, after] = reasons[1] as [string, number];
    expect(reason).toContain('lost');
    expect(after).toBeLessThan(10_000);
    await runner.stop();
  });
});
