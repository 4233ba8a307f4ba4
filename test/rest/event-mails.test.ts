import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '../../src/db/access/database.ts';
import type { DueScope } from '../../src/domain/event/due-events.ts';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import { queueGatheredChanges } from '../../src/domain/event/event-mails.ts';
import { queueDueReminders } from '../../src/domain/event/reminder.ts';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import { silentLog } from '../support/log.ts';
import { countMails, mailsTo, settleMails } from '../support/mail.ts';
import { send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam, join, type Person } from '../support/team.ts';

const server = await shared(startTestServer({ env: { RATE_LIMIT: 'off' } }));
const team = await createTeam(server);

const hour = 3_600_000;
const iso = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
const hostile = 'A & B <b>bold</b> https://evil.example/x "q"';

async function event(fields: Record<string, unknown> = {}): Promise<EventRow> {
  const body = {
    name: 'Open Day',
    status: 1,
    date_start: '2027-07-01T10:00:00Z',
    date_end: '2027-07-01T12:00:00Z',
    ...fields,
  };
  return (await send<EventRow>(server, team.manager, 'POST /events', body)).body;
}

const patch = (to: EventRow, fields: unknown) => send(server, team.manager, `PATCH /events/${to.id}`, fields);
const subscribe = async (person: Person, to: EventRow, body?: unknown) =>
  (await send<SubscriptionRow>(server, person, `POST /events/${to.id}/subscriptions`, body)).body;
const move = (person: Person, row: SubscriptionRow, body: unknown) =>
  send(server, person, `PATCH /events/${row.event_id}/subscriptions/${row.id}`, body);
const newcomer = () => join(server, team.organizationId, 'member');
const look = async (queue: (scope: DueScope) => Promise<unknown>) => {
  await queue({ db: new PostgresDatabase(server.orm), bounded: true, log: silentLog });
  server.services.jobs.nudge('notices');
};
const subjects = async (person: Person, count: number) =>
  (await mailsTo(server, person.email, count)).map(({ subject }) => subject);

describe('mails about a subscription', () => {
  it('confirm what the holder does, in the time of the event, with its name as it is, escaped', async () => {
    const holder = await newcomer();
    const to = await event({ name: hostile, timezone: 'Europe/Berlin', location: 'Hall <1>' });
    const row = await subscribe(holder, to);
    const [mail] = await mailsTo(server, holder.email);
    expect(mail?.subject).toContain('You have a place');
    expect(mail?.text).toContain('(Europe/Berlin)');
    expect(mail?.text).toMatch(/Thursday,? 1 July 2027/);
    expect(mail?.text).toContain('12:00');
    expect(mail?.text).toContain(`“${hostile}”`);
    expect(mail?.html).not.toContain('<b>');
    await move(holder, row, { status: 'cancelled' });
    expect((await subjects(holder, 2))[1]).toContain('You cancelled your subscription');
  });

  it('tell managers of their own subscription only what confirms subscribing and cancelling', async () => {
    const manager = await join(server, team.organizationId, 'manager');
    const row = await subscribe(manager, await event({}));
    for (const status of ['pending', 'accepted', 'declined', 'accepted', 'cancelled'])
      expect((await move(manager, row, { status })).status).toBe(200);
    const told = (await subjects(manager, 3)).map((subject) => subject.split(':')[0]);
    expect(told).toEqual(['You have a place', 'You have a place', 'You cancelled your subscription']);
  });

  it('tell the holder about changes by others and the waiting list, unless a manager suppresses them', async () => {
    const [first, second] = [await newcomer(), await newcomer()];
    const to = await event({ capacity: 1 });
    const place = await subscribe(team.manager, to, { user_id: first.userId, notify: false });
    await subscribe(second, to);
    expect((await subjects(second, 1))[0]).toContain('You are on the waiting list');
    await move(team.manager, place, { status: 'declined' });
    expect((await subjects(first, 1))[0]).toContain('was declined');
    expect((await subjects(second, 2))[1]).toContain('You have a place');
  });
});

describe('mails about an event', () => {
  it('go to the live ones at once if it is cancelled or reinstated', async () => {
    const [holder, gone, quiet] = [await newcomer(), await newcomer(), await event()];
    const to = await event();
    await subscribe(holder, to);
    const place = await subscribe(gone, to);
    await move(gone, place, { status: 'cancelled' });
    await mailsTo(server, gone.email, 2);
    await patch(to, { status: 2 });
    expect((await subjects(holder, 2))[1]).toContain('Cancelled');
    await patch(to, { status: 1 });
    expect((await subjects(holder, 3))[2]).toContain('Going ahead after all');
    await patch(to, { status: 2, notify: false });
    await subscribe(holder, quiet);
    await settleMails(server);
    expect(await countMails(server, holder.email)).toBe(4);
    expect(await countMails(server, gone.email)).toBe(2);
  });

  it('gather changes of time and place into one, which says how things are then', async () => {
    const holder = await newcomer();
    const to = await event();
    await subscribe(holder, to);
    await patch(to, { location: 'Here' });
    await patch(to, { location: 'There' });
    await look(queueGatheredChanges);
    await settleMails(server);
    expect(await countMails(server, holder.email)).toBe(1);
    const overdue = "update event_change_notice set due_at = date_trunc('milliseconds', now())";
    await server.execute(overdue);
    await look(queueGatheredChanges);
    const mails = await mailsTo(server, holder.email, 2);
    expect(mails[1]?.subject).toContain('New time or place');
    expect(mails[1]?.text).toContain('There');
    // there and back again is no change
    await patch(to, { location: 'Elsewhere' });
    await patch(to, { location: 'There' });
    await server.execute(overdue);
    await look(queueGatheredChanges);
    await settleMails(server);
    expect(await countMails(server, holder.email)).toBe(2);
  });

  it('remind the accepted once, a day before, and again only if the start moves', async () => {
    const [holder, pending] = [await newcomer(), await newcomer()];
    const to = await event({ date_start: iso(30), date_end: iso(31), registration: 'approval' });
    await subscribe(team.manager, to, { user_id: holder.userId, status: 'accepted', notify: false });
    await subscribe(team.manager, to, { user_id: pending.userId, notify: false });
    const remind = async () => {
      await Promise.all([1, 2, 3].map(() => look(queueDueReminders)));
      await settleMails(server);
    };
    await remind();
    expect(await countMails(server, holder.email)).toBe(0);
    // time passes
    await server.execute(`update event set date_start = now() + interval '23 hours' where id = ?`, [to.id]);
    await remind();
    await remind();
    expect((await subjects(holder, 1))[0]).toContain('Starts soon');
    expect(await countMails(server, pending.email)).toBe(0);
    // no reminder if less than a day is left at the time of the change
    const late = await event({ date_start: iso(20), date_end: iso(21) });
    await subscribe(team.manager, late, { user_id: pending.userId, notify: false });
    await remind();
    expect(await countMails(server, pending.email)).toBe(0);
  });

  it('remind nobody again of a start that moves by seconds, and of one that moves by hours', async () => {
    const holder = await newcomer();
    const to = await event({ date_start: iso(30), date_end: iso(40) });
    await subscribe(team.manager, to, { user_id: holder.userId, notify: false });
    const startsIn = async (interval: string) => {
      await server.execute(`update event set date_start = now() + ?::interval where id = ?`, [interval, to.id]);
      await look(queueDueReminders);
      await settleMails(server);
    };
    await startsIn('23 hours 59 minutes 50 seconds');
    expect(await countMails(server, holder.email)).toBe(1);
    for (const seconds of [5, 10, -20]) {
      await patch(to, { date_start: new Date(Date.now() + 24 * hour + seconds * 1000).toISOString() });
      await startsIn(`23 hours 59 minutes ${30 + seconds} seconds`);
    }
    expect(await countMails(server, holder.email)).toBe(1);
    await patch(to, { date_start: iso(27), notify: false });
    await look(queueDueReminders);
    // four hours go by
    await server.execute(
      `update event set reminded_start = reminded_start - interval '4 hours', date_start = date_start - interval '4 hours' where id = ?`,
      [to.id],
    );
    await look(queueDueReminders);
    await settleMails(server);
    expect((await subjects(holder, 2))[1]).toContain('Starts soon');
  });
});
