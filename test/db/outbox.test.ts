import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ServiceDatabase } from '../../src/db/access/service-database.ts';
import { passwordChangedMail } from '../../src/domain/account/account-mail.ts';
import { queueMail } from '../../src/domain/mail/mail.ts';
import { mailJobs } from '../../src/domain/subscription/queue-mails.ts';
import type { SubscriptionStatus } from '../../src/domain/subscription/subscription.entity.ts';
import { changeMail } from '../../src/domain/subscription/subscription-mail.ts';
import { holdLease } from '../../src/jobs/lease.ts';
import { MailQueue } from '../../src/jobs/mail-queue.ts';
import type { Outbox } from '../../src/jobs/outbox.ts';
import { insertEvent, insertOrganization, insertSubscription, insertUser } from '../support/fixtures.ts';
import { useOutboxes } from '../support/outboxes.ts';

const here = useOutboxes();

/** The outbox of a process, whose claims last three seconds and which looks for mails all the time, unless told otherwise. */
async function startOutbox(lease = 3, pollInterval = 50): Promise<Outbox> {
  return (await here.startOutbox({ limited: false, lease, pollInterval })).outbox;
}

async function queue(): Promise<string> {
  const { id, email } = await insertUser(here.orm, { email: `slow-${randomUUIDv7()}@example.org` });
  await queueMail({ db: here.db }, passwordChangedMail, { userId: id });
  return email;
}

const jobs = () => here.execute('select * from mail_job');
const sentAll = (timeout = 30_000) => expect.poll(jobs, { timeout, interval: 25 }).toEqual([]);

describe('a mail that takes longer than a claim of it lasts', () => {
  it('is sent once, by one of two processes', async () => {
    // a busy machine may renew a claim late, by more than a second
    here.smtp.delayOf = () => 4_500;
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

it('sends many without waiting for a poll', async () => {
  await Promise.all(Array.from({ length: 60 }, queue));
  await startOutbox(90, 60_000);
  await sentAll();
  expect(here.smtp.received).toHaveLength(60);
});

it('looks once for the mails of several commits, within moments and after their responses', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const lastOfLook = vi.spyOn(MailQueue.prototype, 'claimEvents');
  // with limits it looks once when it starts
  const { outbox } = await here.startOutbox({ pollInterval: 60_000 });
  await expect.poll(() => lastOfLook.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled']);
  const looks = vi.spyOn(MailQueue.prototype, 'claimLinks');
  const nudgedAt: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    await queue();
    outbox.nudge('links');
    nudgedAt.push(performance.now());
    if (count === 0) expect(looks).not.toHaveBeenCalled();
  }
  await sentAll();
  expect(here.smtp.received).toHaveLength(4);
  // each look that finds mails is followed by one that finds no more
  const took = (nudgedAt.at(-1) as number) - (nudgedAt[0] as number);
  expect(looks.mock.calls.length).toBeLessThanOrEqual(2 * (1 + Math.ceil(took / 20)));
  looks.mockClear();
  for (let count = 0; count < 50; count += 1) outbox.nudge('links');
  await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(0);
  await sleep(200);
  expect(looks).toHaveBeenCalledTimes(1);
});

describe('mails about one subscription', () => {
  const statuses = ['pending', 'waitlisted', 'accepted', 'cancelled', 'declined'] as const;

  const queueChange = (db: ServiceDatabase, subscriptionId: string, status: SubscriptionStatus) =>
    db.run(
      mailJobs(changeMail, [{ subscriptionId, status, by: 'list', told: { status: null } }], {
        bounded: false,
      }),
    );

  /** Somebody whose subscription went through all statuses. */
  async function moved(): Promise<string> {
    const { id: organizationId } = await insertOrganization(here.orm);
    const { id: eventId } = await insertEvent(here.orm, { organizationId });
    const { id: userId, email } = await insertUser(here.orm);
    const { id: subscriptionId } = await insertSubscription(here.orm, { eventId, userId });
    const db = here.db;
    for (const status of statuses) await queueChange(db, subscriptionId, status);
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

  it('leave in the order of its changes, whichever process sends each', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, moved));
    here.smtp.delayOf = () => Math.random() * 100;
    await startOutbox();
    await startOutbox();
    await sentAll();
    for (const email of people) expect(subjectsTo(email)).toEqual(inOrder);
  });

  it('keep no others waiting, however many there are', async () => {
    await Promise.all(Array.from({ length: 20 }, moved));
    const email = await queue();
    await startOutbox();
    await sentAll();
    const recipients = here.smtp.received.flatMap(({ to }) => to);
    expect(recipients).toHaveLength(101);
    // eight are sent at once
    expect(recipients.indexOf(email)).toBeLessThan(8);
  });

  it('are not left behind, whenever they are queued and an earlier one leaves', async () => {
    const first = await Promise.all(Array.from({ length: 6 }, moved));
    const about = await here.execute<{ id: string }>('select id from subscription');
    const db = here.db;
    here.smtp.delayOf = () => Math.random() * 8;
    // neither a poll nor a claim that expires finds one that was left behind
    const processes = await Promise.all([1, 2, 3].map(() => startOutbox(600, 600_000)));
    await Promise.all(
      about.map(async ({ id: subscriptionId }, index) => {
        for (let count = 0; count < 40; count += 1) {
          await queueChange(db, subscriptionId, 'accepted');
          processes[(index + count) % 3]?.nudge();
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
    const execute = (statement: string) => here.execute(statement);
    const db = here.db;
    const [first] = (await new MailQueue(db, 90).claimEvents(1)).jobs;
    await execute("update mail_job set held = false, due_at = date_trunc('milliseconds', now()) where attempts = 0");
    // what another process does between the statements of a claim
    const rows = db.rows.bind(db);
    const spy = vi.spyOn(db, 'rows').mockImplementation(async (statement) => {
      const held = await rows(statement);
      if (!statement.text.includes('first_due_at')) return held as never;
      spy.mockRestore();
      await execute(`delete from mail_job where id = '${first?.id}'`);
      return held as never;
    });
    const queue = new MailQueue(db, 90);
    expect(await queue.claimEvents(1)).toEqual({ jobs: [], more: true });
    expect((await queue.claimEvents(1)).jobs).toMatchObject([{ data: { status: 'waitlisted' } }]);
  });

  it('are looked at once while they wait for an earlier one, however many there are', async () => {
    const slow = await moved();
    await here.execute(
      `insert into mail_job (id, kind, data, organization_id, recipient)
        select gen_random_uuid(), kind, data, organization_id, recipient from mail_job, generate_series(1, 300) where kind = 'subscription_changed'`,
    );
    here.smtp.delayOf = (to) => (to.includes(slow) ? 60_000 : 0);
    await startOutbox(90);
    await expect.poll(() => here.smtp.heard).toHaveLength(1);
    const others = await Promise.all(Array.from({ length: 10 }, moved));
    await expect.poll(() => here.smtp.received, { interval: 25 }).toHaveLength(10 * statuses.length);
    for (const email of others) expect(subjectsTo(email)).toEqual(inOrder);
    await expect
      .poll(() => here.execute('select id from mail_job where due_at <= now()'), { interval: 25 })
      .toEqual([]);
  });

  it('keep no others waiting while they cannot be claimed in time', async () => {
    vi.spyOn(MailQueue.prototype, 'claimEvents').mockRejectedValue(new Error('statement timeout'));
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
    await startOutbox(3, 60_000);
    await expect.poll(() => subjectsTo(email), { interval: 25 }).toEqual(inOrder.slice(1));
  });
});

describe('a stop', () => {
  it('sends what was committed right before it', async () => {
    const outbox = await startOutbox(90, 60_000);
    await sleep(200);
    const email = await queue();
    outbox.nudge('links');
    await outbox.stop();
    expect(here.smtp.received.map(({ to }) => to)).toEqual([[email]]);
    expect(await jobs()).toEqual([]);
  });

  it('cuts off what a mail server does not answer, and leaves it to other processes', async () => {
    here.smtp.silent = true;
    const email = await queue();
    const outbox = await startOutbox(90);
    await expect.poll(() => here.smtp.heard).toHaveLength(1);
    await outbox.stop();
    expect(await jobs()).toMatchObject([{ attempts: 1, error: expect.stringContaining('EABORT') }]);
    here.smtp.silent = false;
    await startOutbox();
    await sentAll();
    expect(here.smtp.received.map(({ to }) => to)).toEqual([[email]]);
  });
});

describe('holdLease', () => {
  it('keeps a claim for as long as it can be renewed, and not after', async () => {
    let renewals = 0;
    const { signal, release } = holdLease(1, performance.now(), async () => {
      renewals += 1;
      return true;
    });
    await expect.poll(() => renewals).toBeGreaterThan(8);
    expect(signal.aborted).toBe(false);
    release();
    const before = renewals;
    await sleep(600);
    expect([signal.aborted, renewals - before]).toEqual([false, 0]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['gets no answer', () => new Promise<boolean>(() => undefined)],
  ])('gives a claim up before it is over, if renewing %s', async (_name, renew) => {
    const since = performance.now();
    const { signal } = holdLease(4, since, renew);
    await vi.waitFor(() => expect(signal.aborted).toBe(true), { timeout: 5_000, interval: 5 });
    // there was time for two attempts to renew it
    expect(performance.now() - since).toBeGreaterThan(2_000);
    expect(performance.now() - since).toBeLessThan(4_000);
  });

  it("gives a claim up at once that is somebody else's", async () => {
    const { signal } = holdLease(0.4, performance.now(), async () => false);
    await vi.waitFor(() => expect(signal.aborted).toBe(true), { timeout: 5_000, interval: 5 });
    expect(String(signal.reason)).toContain('lost');
  });
});
