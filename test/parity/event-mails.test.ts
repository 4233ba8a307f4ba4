import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import type { DueScope } from '../../src/domain/event/due-events.ts';
import { queueGatheredChanges } from '../../src/domain/event/event-mails.ts';
import { queueDueReminders } from '../../src/domain/event/reminder.ts';
import { settleMails } from '../support/guests.ts';
import { silentLog } from '../support/log.ts';
import { join, type Person, serveTeam } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startSmtp } from '../support/smtp.ts';
import { created, facesOf, type WrittenEvent } from '../support/write-faces.ts';

// The mails that writes of either face cause (reference/subscriptions.md#mails), as a mail server receives them.

const smtp = await shared(startSmtp());
const { server, team } = await serveTeam({ env: { SMTP_URL: `${smtp.url}?tls=off` } });
const { manager } = team;

const dates = { date_start: '2027-07-01T10:00:00.000Z', date_end: '2027-07-01T12:00:00.000Z' };
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const newcomer = () => join(server, team.organizationId, 'member');

/** What a person got by now, and nothing is left to send. */
async function mailsOf({ email }: Person) {
  server.services.jobs.nudge('notices');
  server.services.jobs.nudge('event_mails');
  await settleMails(server);
  return smtp.received.filter(({ to }) => to.includes(email)).map(({ mail }) => mail);
}
/** The only mail that a person got by now, which has this subject. */
async function onlyMailOf(person: Person, subject: string) {
  const mails = await mailsOf(person);
  expect(mails.map((mail) => mail.subject)).toEqual([subject]);
  return [mails[0]?.text, mails[0]?.html];
}
const subjectsOf = async (person: Person) => (await mailsOf(person)).map(({ subject }) => subject?.split(':')[0]);

/** As every process does every few seconds; several at once. */
const look = (queue: (scope: DueScope) => Promise<boolean>) =>
  Promise.all([1, 2, 3].map(() => queue({ db: new PostgresDatabase(server.orm), bounded: true, log: silentLog })));

/** Lets the two minutes pass in which changes are gathered; what waits for the event to be active waits on. */
async function gather({ id }: WrittenEvent): Promise<void> {
  await server.execute(
    `update event_change_notice set due_at = date_trunc('milliseconds', now())
     where event_id = ? and due_at <> 'infinity'`,
    [id],
  );
  await look(queueGatheredChanges);
}

describe.each(facesOf(server))('by $name', (face) => {
  const create = async (fields: Record<string, unknown> = {}) =>
    await created(face, manager, { name: 'Open Day', ...dates, ...fields });
  const change = async (event: WrittenEvent, fields: Record<string, unknown>) =>
    expect((await face.updateEvent(manager, event.id, fields)).code).toBeNull();
  /** Subscribes somebody without a word. */
  const place = async (event: WrittenEvent, status?: string) => {
    const person = await newcomer();
    const fields = { user_id: person.userId, notify: false, ...(status === undefined ? {} : { status }) };
    const { code, value } = await face.subscribe(manager, event.id, fields);
    expect(code).toBeNull();
    return { ...person, subscriptionId: value.id };
  };
  const move = (event: WrittenEvent, { subscriptionId }: { subscriptionId: string }, fields: Record<string, unknown>) =>
    face.move(manager, event.id, subscriptionId, fields);

  /** An event with a live subscription of each kind, and one of each that is over. */
  async function audience() {
    const event = await create({ capacity: 1 });
    const live = [await place(event), await place(event, 'waitlisted'), await place(event, 'pending')];
    const over: Person[] = [];
    for (const status of ['declined', 'cancelled']) {
      const person = await place(event, 'pending');
      await move(event, person, { status, notify: false });
      over.push(person);
    }
    return { event, live, over };
  }

  it('an event that is cancelled and reinstated tells each live one once', async () => {
    const { event, live, over } = await audience();
    await change(event, { status: 2 });
    for (const person of live) expect(await subjectsOf(person)).toEqual(['Cancelled']);
    await change(event, { status: 1 });
    for (const person of live) expect(await subjectsOf(person)).toEqual(['Cancelled', 'Going ahead after all']);
    // neither what is as it was, nor what is silent
    await change(event, { status: 1 });
    await change(event, { status: 2, notify: false });
    await change(event, { status: 1, notify: false });
    for (const person of live) expect(await subjectsOf(person)).toHaveLength(2);
    for (const person of over) expect(await subjectsOf(person)).toEqual([]);
    const [mail] = await mailsOf(live[0] as Person);
    expect(mail?.subject).toBe('Cancelled: Open Day');
    for (const text of [mail?.text, mail?.html]) expect(text).toContain('“Open Day” has been cancelled');
  });

  it('an event that was archived after it was cancelled tells that it takes place after all, and no other does', async () => {
    const { event, live } = await audience();
    for (const status of [2, 3, 1, 3, 1]) await change(event, { status });
    for (const person of live) expect(await subjectsOf(person)).toEqual(['Cancelled', 'Going ahead after all']);
    // an import makes it active: nobody is told by the next change
    for (const status of [2, 3]) await change(event, { status, notify: false });
    await server.execute('update event set status = 1 where id = ?', [event.id]);
    await change(event, { name: 'Open Night' });
    for (const person of live) expect(await subjectsOf(person)).toHaveLength(2);
  });

  it('an event that moved while it was cancelled tells so by the mail that it takes place after all, alone', async () => {
    const event = await create();
    const person = await place(event);
    await change(event, { location: 'The attic' });
    await change(event, { status: 2 });
    await change(event, { location: 'The cellar' });
    await gather(event);
    await change(event, { status: 1 });
    await gather(event);
    const mails = await mailsOf(person);
    expect(mails.map(({ subject }) => subject)).toEqual(['Cancelled: Open Day', 'Going ahead after all: Open Day']);
    for (const text of [mails[1]?.text, mails[1]?.html]) expect(text).toContain('Where: The cellar');
    // without that mail, the change is still told
    await change(event, { status: 2, notify: false });
    await change(event, { location: 'The yard' });
    await change(event, { status: 1, notify: false });
    await gather(event);
    expect((await subjectsOf(person))[2]).toBe('New time or place');
  });

  it('an event that moved while it was archived tells so two minutes after it is active', async () => {
    const event = await create();
    const person = await place(event);
    await change(event, { status: 3 });
    await change(event, { location: 'The cellar' });
    await look(queueGatheredChanges);
    expect(await subjectsOf(person)).toEqual([]);
    await change(event, { status: 1 });
    await look(queueGatheredChanges);
    expect(await subjectsOf(person)).toEqual([]);
    const soon = `select from event_change_notice
      where event_id = ? and due_at between now() + interval '100 seconds' and now() + interval '120 seconds'`;
    expect(await server.execute(soon, [event.id])).toHaveLength(1);
    await gather(event);
    const [text] = await onlyMailOf(person, 'New time or place: Open Day');
    expect(text).toContain('Where: The cellar');
  });

  it('an event that was published with another time tells nobody', async () => {
    const event = await create({ status: 0 });
    await change(event, { location: 'The cellar' });
    await change(event, { status: 1, location: 'The attic' });
    const person = await place(event);
    await gather(event);
    expect(await subjectsOf(person)).toEqual([]);
  });

  it('an event that moves tells each live one once, with the time and place that it has then', async () => {
    const { event, live, over } = await audience();
    await change(event, { date_start: '2027-07-02T08:00:00Z', date_end: '2027-07-02T09:00:00Z' });
    await change(event, { location: 'The yard' });
    await change(event, { date_start: '2027-07-03T08:15:00Z', date_end: '2027-07-03T09:45:00Z' });
    await look(queueGatheredChanges);
    for (const person of live) expect(await subjectsOf(person)).toEqual([]);
    await gather(event);
    for (const person of live) {
      for (const text of await onlyMailOf(person, 'New time or place: Open Day')) {
        expect(text).toMatch(/Saturday,? 3 July 2027[^<\n]*08:15\s?–\s?09:45[^<\n]* \(UTC\)/);
        expect(text).toContain('Where: The yard');
      }
    }
    for (const person of over) expect(await subjectsOf(person)).toEqual([]);
    await look(queueGatheredChanges);
    await change(event, { location: 'Elsewhere', notify: false });
    await gather(event);
    for (const person of live) expect(await subjectsOf(person)).toHaveLength(1);
  });

  it.each([
    ['the time zone', { timezone: 'Europe/Berlin' }, /12:00\s?–\s?14:00 \(Europe\/Berlin\)/],
    ['the end', { date_end: '2027-07-01T13:30:00Z' }, /10:00\s?–\s?13:30 \(UTC\)/],
    ['the start', { date_start: '2027-07-01T09:45:00Z' }, /09:45\s?–\s?12:00 \(UTC\)/],
    ['the place', { location: 'Hall 7' }, /10:00\s?–\s?12:00 \(UTC\)[\s\S]*Where: Hall 7/],
  ])('a change of %s alone is told', async (_, fields, words) => {
    const event = await create();
    const person = await place(event);
    await change(event, fields);
    await gather(event);
    for (const text of await onlyMailOf(person, 'New time or place: Open Day')) {
      expect(text).toMatch(new RegExp(`Thursday,? 1 July 2027[^<\\n]*${words.source}`));
      expect(text).toContain('The time or the place of “Open Day” has changed.');
      expect(text).toContain('You still have your place.');
    }
  });

  it('nothing is told of other changes, nor if all is as before', async () => {
    const event = await create();
    const person = await place(event);
    const words = { name: 'Closed Day', description: 'New', slug: `day-${event.id.slice(-12)}` };
    const rules = { capacity: 7, visibility: 'public', registration: 'approval', waiting_list: false };
    await change(event, { ...words, ...rules });
    await gather(event);
    await change(event, { timezone: 'Europe/Berlin', location: 'Hall' });
    await change(event, { date_end: '2027-07-01T13:30:00Z' });
    await change(event, { timezone: 'UTC', location: null, date_end: dates.date_end });
    await gather(event);
    expect(await subjectsOf(person)).toEqual([]);
  });

  it('an accepted one is reminded of an event that moves at its new start, once', async () => {
    const event = await create({ date_start: hours(48), date_end: hours(49) });
    const person = await place(event);
    const other = await place(event, 'pending');
    /** Time passes until so many hours before the start. */
    const until = async (left: number) => {
      await server.execute(
        `update event set date_start = now() + make_interval(hours => ?), date_end = now() + make_interval(hours => ? + 1),
          reminded_start = reminded_start + (now() + make_interval(hours => ?) - date_start) where id = ?`,
        [left, left, left, event.id],
      );
      await look(queueDueReminders);
    };
    await until(25);
    expect(await subjectsOf(person)).toEqual([]);
    await until(23);
    await look(queueDueReminders);
    expect(await subjectsOf(person)).toEqual(['Starts soon']);
    await change(event, { date_start: hours(72), date_end: hours(73) });
    await gather(event);
    await look(queueDueReminders);
    expect(await subjectsOf(person)).toEqual(['Starts soon', 'New time or place']);
    await until(23);
    await look(queueDueReminders);
    expect(await subjectsOf(person)).toEqual(['Starts soon', 'New time or place', 'Starts soon']);
    // moved to less than a day before its start, there is none
    await change(event, { date_start: hours(12), date_end: hours(13) });
    await look(queueDueReminders);
    await gather(event);
    expect(await subjectsOf(person)).toHaveLength(4);
    expect(await subjectsOf(other)).toEqual(['New time or place', 'New time or place']);
  });

  it('nobody is reminded again of a start that moves by seconds', async () => {
    const event = await create({ date_start: hours(30), date_end: hours(40) });
    const person = await place(event);
    const startsIn = async (seconds: number) => {
      const start = 'update event set date_start = now() + make_interval(secs => ?) where id = ?';
      await server.execute(start, [seconds, event.id]);
      await look(queueDueReminders);
      expect(await subjectsOf(person)).toEqual(['Starts soon']);
    };
    const day = 86_400;
    await startsIn(day - 10);
    for (const seconds of [5, 10, -20]) {
      await change(event, { date_start: hours((day + seconds) / 3_600), notify: false });
      await startsIn(day - 30 + seconds);
    }
  });

  it('there is no reminder of an event that becomes active within a day of its start, or is not active', async () => {
    const starts = { date_start: hours(23), date_end: hours(24) };
    const late = await create({ ...starts, status: 0 });
    await change(late, { status: 1 });
    const cancelled = await create({ date_start: hours(30), date_end: hours(31) });
    const people = [await place(late), await place(await create(starts)), await place(cancelled)];
    await change(cancelled, { status: 2, notify: false });
    await server.execute(`update event set date_start = now() + interval '23 hours' where id = ?`, [cancelled.id]);
    await look(queueDueReminders);
    for (const person of people) expect(await subjectsOf(person)).toEqual([]);
  });

  it('holders get a mail for what they do themselves', async () => {
    const [event, full] = [await create(), await create({ capacity: 0 })];
    const asked = await create({ registration: 'approval' });
    const person = await newcomer();
    const { value } = await face.subscribe(person, event.id);
    await mailsOf(person);
    await face.move(person, event.id, value.id, { status: 'cancelled' });
    await mailsOf(person);
    for (const each of [full, asked]) {
      await face.subscribe(person, each.id);
      await mailsOf(person);
    }
    expect(await subjectsOf(person)).toEqual([
      'You have a place',
      'You cancelled your subscription',
      'You are on the waiting list',
      'Waiting for approval',
    ]);
    // the status that it has is no change
    await face.move(person, event.id, value.id, { status: 'cancelled' });
    expect(await subjectsOf(person)).toHaveLength(4);
  });

  it('managers get a mail of their own subscription only for subscribing and cancelling', async () => {
    const event = await create();
    const own = await join(server, team.organizationId, 'manager');
    const { value } = await face.subscribe(own, event.id);
    await mailsOf(own);
    for (const status of ['pending', 'accepted', 'declined', 'accepted', 'cancelled']) {
      expect((await face.move(own, event.id, value.id, { status })).code).toBeNull();
      await mailsOf(own);
    }
    expect(await subjectsOf(own)).toEqual(['You have a place', 'You have a place', 'You cancelled your subscription']);
  });

  it('holders get a mail for each change by others and by the waiting list, and none for a silent one', async () => {
    const event = await create({ capacity: 1 });
    const [person, waits] = [await newcomer(), await newcomer()];
    const { value } = await face.subscribe(manager, event.id, { user_id: person.userId });
    expect(await subjectsOf(person)).toEqual(['You have a place']);
    const waiting = await face.subscribe(manager, event.id, { user_id: waits.userId });
    expect(await subjectsOf(waits)).toEqual(['You are on the waiting list']);
    for (const status of ['pending', 'declined', 'waitlisted', 'cancelled']) {
      await move(event, { subscriptionId: value.id }, { status });
      await mailsOf(person);
    }
    expect((await subjectsOf(person)).slice(1)).toEqual([
      'Waiting for approval',
      'Your subscription was declined',
      'You are on the waiting list',
      'Your subscription was cancelled',
    ]);
    expect(await subjectsOf(waits)).toEqual(['You are on the waiting list', 'You have a place']);
    expect((await mailsOf(waits))[1]?.text).toContain('you are no longer on the waiting list');
    const [, moved] = await mailsOf(waits);
    expect(moved?.text).toContain('A place at “Open Day” has become available, and it is yours');

    await move(event, { subscriptionId: waiting.value.id }, { status: 'declined', notify: false });
    await change(event, { capacity: 0, notify: false });
    await move(event, { subscriptionId: value.id }, { status: 'waitlisted', notify: false });
    await change(event, { capacity: 1, notify: false });
    expect([await subjectsOf(person), await subjectsOf(waits)].map(({ length }) => length)).toEqual([5, 2]);
    const rows = await server.execute('select status from subscription where id = ?', [value.id]);
    expect(rows).toEqual([{ status: 'accepted' }]);
  });
});
