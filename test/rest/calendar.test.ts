import ical, { type VEvent } from 'node-ical';
import { describe, expect, it } from 'vitest';
import { insertEvent, insertSubscription } from '../support/fixtures.ts';
import { mailedToken } from '../support/guests.ts';
import { type Caller, expectCode, send } from '../support/send.ts';
import { join, post, serveTeam, signIn } from '../support/server.ts';

const { server, team } = await serveTeam();

const read = async (path: string, person: Caller = {}) => {
  const { status, headers, text } = await send(server, person, `GET ${path}`);
  expect([status, headers.get('content-type')], text).toEqual([200, 'text/calendar; charset=utf-8']);
  const events = Object.values(ical.sync.parseICS(text)).filter((each): each is VEvent => each?.type === 'VEVENT');
  return { text, events };
};

const eventCalendar = (id: string, person = team.member) => read(`/events/${id}/calendar.ics`, person);

const insert = async (input: Partial<Parameters<typeof insertEvent>[1]> & { timezone?: string }) =>
  (await insertEvent(server.orm, { organizationId: team.organizationId, ...input })).id;

/** Reads a calendar with a tag that it had; returns what the next read needs. */
const readAgain = async (path: string, person: Caller, tag: string, status: 200 | 304) => {
  const { text, headers, ...answer } = await send(server, person, `GET ${path}`, undefined, { 'if-none-match': tag });
  expect([answer.status, headers.get('cache-control')]).toEqual([status, 'private, no-cache']);
  if (status === 304) expect(text).toBe('');
  return { etag: headers.get('etag') as string, text };
};

describe('GET /events/{event}/calendar.ics', () => {
  it('is 304 for who has it already, until the event changes', async () => {
    const id = await insert({ name: 'Same' });
    const path = `/events/${id}/calendar.ics`;
    const { etag } = await readAgain(path, team.member, '"none"', 200);
    for (const known of [etag, `"other", ${etag.slice(2)}`, '*'])
      expect((await readAgain(path, team.member, known, 304)).etag).toBe(etag);
    await send(server, team.manager, `PATCH /events/${id}`, { location: 'Elsewhere' });
    expect((await readAgain(path, team.member, etag, 200)).text).toContain('LOCATION:Elsewhere');
    const unknown = path.replace(id, team.organizationId);
    const any = { 'if-none-match': '*' };
    expectCode(await send(server, team.member, `GET ${unknown}`, undefined, any), 404, 'NOT_FOUND');
  });

  it('holds the event, its zone and its version, for another library to read', async () => {
    const name = 'Talk; with, "signs" \\ and ☃';
    const id = await insert({
      name,
      description: 'First line\nSecond line; BEGIN:VEVENT',
      dateStart: new Date('2026-03-28T18:00:00Z'),
      dateEnd: new Date('2026-03-29T10:00:00Z'),
      timezone: 'Europe/Berlin',
    });
    await send(server, team.manager, `PATCH /events/${id}`, { location: 'Room 2, Hall; B' });
    const { text, events } = await eventCalendar(id);
    const [event] = events;
    expect(events).toHaveLength(1);
    expect(event).toMatchObject({
      uid: `${id}@events.test`,
      sequence: 1,
      status: 'CONFIRMED',
      summary: name,
      description: 'First line\nSecond line; BEGIN:VEVENT',
      location: 'Room 2, Hall; B',
    });
    expect([event?.start.toISOString(), event?.end?.toISOString()]).toEqual([
      '2026-03-28T18:00:00.000Z',
      '2026-03-29T10:00:00.000Z',
    ]);
    expect(text).toContain('DTSTART;TZID=Europe/Berlin:20260328T190000\r\n');
    expect(text).toContain('DTEND;TZID=Europe/Berlin:20260329T120000\r\n');
  });

  it('names its file by a slug that is not ASCII, too', async () => {
    const id = await insert({ slug: 'fête-日本' });
    const { headers } = await send(server, team.member, `GET /events/${id}/calendar.ics`);
    expect(headers.get('content-disposition')).toContain(`filename*=UTF-8''f%C3%AAte-%E6%97%A5%E6%9C%AC.ics`);
  });

  it('says what is uncertain or cancelled', async () => {
    const statusOf = async (id: string, person = team.member) => (await eventCalendar(id, person)).events[0]?.status;
    expect(await statusOf(await insert({ status: 2 }))).toBe('CANCELLED');
    expect(await statusOf(await insert({ status: 0 }), team.manager)).toBe('TENTATIVE');
    const eventId = await insert({});
    await insertSubscription(server.orm, { eventId, userId: team.member.userId, status: 'pending' });
    expect(await statusOf(eventId)).toBe('TENTATIVE');
    expect(await statusOf(eventId, team.manager)).toBe('CONFIRMED');
  });

  it('is served to everyone who can see the event', async () => {
    const id = await insert({ status: 0 });
    expectCode(await send(server, team.member, `GET /events/${id}/calendar.ics`), 404, 'NOT_FOUND');
  });
});

describe('the calendar of a user', () => {
  const renew = async (caller: { accessToken: string } = team.member) => {
    const answer = await send<{ url: string }>(server, caller, 'POST /auth/calendar', {});
    expect(answer.status).toBe(200);
    return new URL(answer.body.url).pathname;
  };
  const statusOf = async (path: string) => (await send(server, {}, `GET ${path}`)).status;

  it('holds the live subscriptions, and only those', async () => {
    const dates = { dateStart: new Date('2027-06-01T10:00:00Z'), dateEnd: new Date('2027-06-01T12:00:00Z') };
    const statuses = ['accepted', 'waitlisted', 'pending', 'declined', 'cancelled'] as const;
    const ids: Record<string, string> = {};
    for (const status of statuses) {
      const eventId = await insert({ ...dates, name: status });
      ids[status] = eventId;
      await insertSubscription(server.orm, { eventId, userId: team.member.userId, status });
    }
    const off = await insert({ ...dates, name: 'off', status: 2 });
    await insertSubscription(server.orm, { eventId: off, userId: team.member.userId, status: 'accepted' });
    for (const name of ['archived', 'archived, off']) {
      const eventId = await insert({ ...dates, name, status: 3 });
      await insertSubscription(server.orm, { eventId, userId: team.member.userId, status: 'accepted' });
    }
    await server.execute(`update event set archived_cancelled = true where name = 'archived, off'`);
    const { events } = await read(await renew());
    const shown = Object.fromEntries(
      events.filter(({ start }) => start.getFullYear() === 2027).map(({ summary, status }) => [summary, status]),
    );
    expect(shown).toEqual({
      ...{ accepted: 'CONFIRMED', waitlisted: 'TENTATIVE', pending: 'TENTATIVE', off: 'CANCELLED' },
      // what is over stays in the calendars of those who were there
      ...{ archived: 'CONFIRMED', 'archived, off': 'CANCELLED' },
    });
  });

  it('ends with the password, whoever changes it, with an entry in the trail', async () => {
    const person = await join(server, team.organizationId, 'member');
    const trail = `select from audit_entry where action = 'calendar.ended' and subject_id = ?`;
    const ended = async () => (await server.execute(trail, [person.userId])).length;
    const first = await renew(person);
    await read(first);
    await post(`${server.url}/auth/reset-password-request`, { email: person.email });
    const token = await mailedToken(server, person.email);
    const chosen = 'a password of the new kind';
    expect((await post(`${server.url}/auth/reset-password`, { token, password: chosen })).status).toBe(200);
    expect([await statusOf(first), await ended()]).toEqual([404, 1]);
    const again = await signIn(server.url, person.email, chosen);
    const second = await renew(again);
    const passwords = { current_password: chosen, password: 'yet another of that kind' };
    expect((await send(server, again, 'POST /auth/change-password', passwords)).status).toBe(200);
    expect([await statusOf(second), await ended()]).toEqual([404, 2]);
    // where there is none, nothing is written
    const further = { current_password: passwords.password, password: 'and one more to be sure' };
    expect((await send(server, again, 'POST /auth/change-password', further)).status).toBe(200);
    expect(await ended()).toBe(2);
  });

  it('has one address at a time, which nothing else reveals', async () => {
    const first = await renew();
    const second = await renew();
    expect(second).not.toBe(first);
    expect(await statusOf(first)).toBe(404);
    await read(second);
    const { etag } = await readAgain(second, {}, '"none"', 200);
    await readAgain(second, {}, etag, 304);
    expect((await send(server, team.member, 'DELETE /auth/calendar')).body).toBe(true);
    expect((await send(server, team.member, 'DELETE /auth/calendar')).body).toBe(true);
    expect(await statusOf(second)).toBe(404);
    expect(await statusOf(`/calendar/${'x'.repeat(43)}.ics`)).toBe(404);
    const third = await renew();
    expect(await statusOf(third.replace('.ics', ''))).toBe(404);
    await read(third);
    expect(server.logLines.join('')).toContain('"path":"/calendar/…"');
    expect(server.logLines.join('')).not.toContain(second.split('/').at(-1)?.slice(0, 43));
    const rows = await server.execute('select * from calendar_feed');
    expect(JSON.stringify(rows)).not.toContain(second.split('/').at(-1)?.slice(0, 43));
  });
});
