import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { MailBudgets } from '../../src/domain/mail/mail-budgets.ts';
import { mailJobs } from '../../src/domain/subscription/queue-mails.ts';
import { changeMail } from '../../src/domain/subscription/subscription-mail.ts';
import { insertEvent, insertSubscription, insertUser } from '../support/fixtures.ts';
import { useOutboxes } from '../support/outboxes.ts';
import { insertSubscribers } from '../support/subscribing.ts';

const here = useOutboxes();
const { execute, counted, startOutbox, world, commitSwitch, switchTo, queueChange, mailsTo, settle, anHourLater } =
  here;
type Outbox = Awaited<ReturnType<typeof startOutbox>>['outbox'];

/** Switches an event so often, from active to cancelled first, and sends what can be sent each time. */
async function switchAndSend(outbox: Outbox, eventId: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await switchTo(eventId, time % 2 === 0 ? 2 : 1);
    outbox.nudge('event_mails');
    await settle(0);
  }
}

describe('the budget of a recipient', () => {
  it('holds nothing back any more where the service starts without limits', async () => {
    const { eventId, email } = await world();
    const { outbox } = await startOutbox();
    await switchAndSend(outbox, eventId, 9);
    expect([mailsTo(email).length, await counted(`from job where lane ~ 'mails' and due_at > now()`)]).toEqual([6, 1]);
    await outbox.stop();
    await startOutbox({ limited: false });
    await expect.poll(() => mailsTo(email)).toHaveLength(7);
  });

  it('gives a digest its place after the mails that one statement queues with it', async () => {
    const { eventId } = await world();
    const { id: userId } = await insertUser(here.orm);
    const ids: string[] = [];
    for (let count = 0; count < 9; count += 1) ids.push((await insertSubscription(here.orm, { eventId, userId })).id);
    const mails = ids.map((subscriptionId) => {
      return { subscriptionId, status: 'accepted' as const, by: 'manager' as const, told: { status: null } };
    });
    await here.db.rows(mailJobs(changeMail, mails, { bounded: true }));
    const rows = await execute<{ kind: string }>(`select kind from job where lane ~ 'mails' order by position`);
    expect(rows.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 6 }, () => 'subscription_changed'),
      'subscription_digest',
    ]);
  });

  it('sends six mails, and one that says how things are, however often an event is switched', async () => {
    const { eventId, email } = await world();
    const { outbox } = await startOutbox();
    for (let time = 0; time < 50; time += 1) {
      await switchTo(eventId, 2);
      outbox.nudge('event_mails');
      await switchTo(eventId, 1);
      outbox.nudge('event_mails');
      expect(await counted(`from job where lane ~ 'mails'`)).toBeLessThanOrEqual(8);
    }
    await switchTo(eventId, 2);
    outbox.nudge('event_mails');
    await settle(0);
    expect(mailsTo(email)).toHaveLength(6);
    expect(await execute(`select kind, due_at > now() as later from job where lane ~ 'mails'`)).toEqual([
      { kind: 'subscription_digest', later: true },
    ]);
    // when which mail left is for chance: things are to be other than the last one said
    const knowsOfEnd = /has been cancelled/.test(mailsTo(email)[5]?.text ?? '');
    if (knowsOfEnd) await switchTo(eventId, 1);
    await anHourLater();
    await startOutbox();
    await expect.poll(() => mailsTo(email)).toHaveLength(7);
    const digest = mailsTo(email)[6];
    expect(digest?.subject).toBe('Your subscriptions: what has changed');
    const state = knowsOfEnd ? 'the event is going ahead, and you have a place.' : 'the event has been cancelled.';
    expect(digest?.text).toContain(`“Open <i>Day”: ${state}`);
    expect(digest?.text).toContain('1 June 2031');
    expect(digest?.html).toContain('Open &lt;i&gt;Day');
    await settle(0);
    expect(await counted(`from job where lane ~ 'mails'`)).toBe(0);
  });

  it('sends nothing more if things are as the recipient knows them', async () => {
    const { eventId, email } = await world();
    const { outbox } = await startOutbox();
    await switchAndSend(outbox, eventId, 16);
    expect(mailsTo(email)).toHaveLength(6);
    await anHourLater();
    await startOutbox();
    await expect.poll(() => counted(`from job where lane ~ 'mails'`)).toBe(0);
    expect(mailsTo(email)).toHaveLength(6);
  });

  it('takes in a change that is not queued yet, and so tells of a change back', async () => {
    const { eventId, email } = await world();
    const { outbox } = await startOutbox();
    await switchAndSend(outbox, eventId, 7);
    // the recipient knows that the event takes place, and as long as this one waits, it does
    await commitSwitch(eventId, 1);
    await anHourLater();
    await startOutbox();
    await settle(0);
    expect(await counted(`from job where lane ~ 'mails' and due_at > now()`)).toBe(1);
    await switchTo(eventId, 2);
    await anHourLater();
    await startOutbox();
    await expect.poll(() => mailsTo(email)).toHaveLength(7);
    expect(mailsTo(email)[6]?.text).toContain('“Open <i>Day”: the event has been cancelled.');
  });

  it('names each subscription with its own link for somebody from outside', async () => {
    const { organizationId, eventId, email } = await world(false);
    const [{ user_id: userId } = { user_id: '' }] = await execute<{ user_id: string }>(
      'select user_id from subscription',
    );
    const { id: other } = await insertEvent(here.orm, {
      organizationId,
      name: 'Second',
      dateStart: new Date('2032-01-01T10:00:00Z'),
    });
    const { id: second } = await insertSubscription(here.orm, { eventId: other, userId, status: 'declined' });
    for (let time = 0; time < 7; time += 1) await switchTo(eventId, time % 2 === 0 ? 2 : 1);
    await queueChange(second, { status: 'declined' });
    await startOutbox();
    await settle(0);
    await anHourLater();
    await startOutbox();
    await expect.poll(() => mailsTo(email)).toHaveLength(7);
    const text = mailsTo(email)[6]?.text ?? '';
    expect(text).toContain('“Open <i>Day”: the event has been cancelled.');
    expect(text).toContain('“Second”: the organizer declined your subscription.');
    expect(text.match(/my-subscription\?token=/g)).toHaveLength(2);
  });

  it('loses no mail and sends none twice if the process dies between counting and sending', async () => {
    const { eventId, email } = await world();
    await switchTo(eventId, 2);
    here.smtp.silent = true;
    const { outbox } = await startOutbox();
    await expect.poll(() => here.smtp.heard).toHaveLength(1);
    await outbox.stop();
    here.smtp.silent = false;
    for (let time = 0; time < 9; time += 1) await switchTo(eventId, time % 2 === 0 ? 1 : 2);
    await execute("update job set due_at = date_trunc('milliseconds', now()) where lane ~ 'mails' and attempts > 0");
    await startOutbox();
    await settle(0);
    expect(mailsTo(email)).toHaveLength(6);
    expect(await counted(`from job where lane ~ 'mails'`)).toBe(1);
  });
});

it('the budget of an organization puts off what is beyond it, is not asked again and again, and grows with accepted subscriptions', async () => {
  const { organizationId, eventId } = await world();
  await execute(`update subscription set status = 'pending'`);
  await insertSubscribers(here.orm, eventId, 30, 'pending');
  await switchTo(eventId, 2);
  const take = vi.spyOn(MailBudgets.prototype, 'take');
  const { budgets } = await startOutbox({ subscribers: 10 });
  await expect.poll(() => here.smtp.received).toHaveLength(10);
  await settle(21);
  const asked = take.mock.calls.length;
  expect(asked).toBeLessThan(30);
  expect(budgets.putOff('subscribers')).toEqual([organizationId]);
  expect(await budgets.waitOf({ organizationId, makerId: null }, 'subscribers')).toBeGreaterThan(3_000);
  // another one is not concerned
  const other = await world();
  await switchTo(other.eventId, 2);
  await expect.poll(() => mailsTo(other.email)).toHaveLength(1);
  expect(take.mock.calls.length).toBe(asked + 1);
  take.mockRestore();
  await execute(`update subscription set status = 'accepted' where event_id = ?`, [eventId]);
  await startOutbox({ subscribers: 10 });
  await expect.poll(() => here.smtp.received).toHaveLength(32);
});

it('all organizations of one maker send three times the mails of one', async () => {
  const makerId = randomUUIDv7();
  const organizations: string[] = [];
  for (let each = 0; each < 5; each += 1) {
    const { organizationId, eventId } = await world();
    organizations.push(organizationId);
    await execute('update organization set maker_id = ? where id = ?', [makerId, organizationId]);
    await insertSubscribers(here.orm, eventId, 4, 'pending');
    await execute(`update subscription set status = 'pending' where event_id = ?`, [eventId]);
    await switchTo(eventId, 2);
  }
  const { budgets } = await startOutbox({ subscribers: 2 });
  await expect.poll(() => here.smtp.received).toHaveLength(6);
  const putOff = () => budgets.putOff('subscribers').toSorted();
  await expect.poll(putOff).toEqual(organizations.toSorted());
  expect(here.smtp.received).toHaveLength(6);
  for (const organizationId of organizations) {
    expect(await budgets.waitOf({ organizationId, makerId }, 'subscribers')).toBeGreaterThan(3_000);
    expect(await budgets.waitOf({ organizationId, makerId }, 'guests')).toBe(0);
  }
  const guest = (organizationId: string) =>
    budgets.take({ organization_id: organizationId, maker_id: makerId, key: null });
  const taken = [];
  for (const organizationId of organizations)
    for (let each = 0; each < 120; each += 1) taken.push(await guest(organizationId));
  expect(taken.filter((over) => over === null)).toHaveLength(300);
});
