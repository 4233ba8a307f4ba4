import { randomUUIDv7 } from 'node:crypto';
import ical, { type VEvent } from 'node-ical';
import { describe, expect, it } from 'vitest';
import { inCalendarTurn } from '../../src/calendar/send-calendar.ts';
import type { Context } from '../../src/engine/context.ts';
import { ClientWaits } from '../../src/kernel/request.ts';
import { Usage } from '../../src/kernel/usage.ts';
import { insertOrganization } from '../support/fixtures.ts';
import { organizer } from '../support/organizer.ts';
import { inDays, insertPublicEvent, type PublicEventInput } from '../support/public-world.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';

const server = await serve();

/** An organization, with its events by name. */
async function place() {
  const slug = `calendar-${randomUUIDv7()}`;
  const { id: organizationId } = await insertOrganization(server.orm, { slug, name: 'Folk; "Dance", Ltd' });
  const event = (input: Omit<PublicEventInput, 'organizationId'> = {}) =>
    insertPublicEvent(server, { ...input, organizationId });
  const get = (file: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/o/${slug}/${file}.ics`, { headers });
  const names = async () => (await eventsOf(await get('events'))).map(({ summary }) => summary);
  return { slug, organizationId, event, get, names };
}

async function eventsOf(response: Response): Promise<VEvent[]> {
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const read = ical.sync.parseICS(await response.text());
  return Object.values(read).filter((each): each is VEvent => each?.type === 'VEVENT');
}

/** Moves the last change of an event. */
const changedInDays = (id: string, days: number) =>
  server.execute('update event set updated_at = ? where id = ?', [inDays(days), id]);

describe('GET /o/{organization}/events.ics', () => {
  it('contains public events from three months ago to twelve months ahead, or changed in the last three months', async () => {
    const { event, names } = await place();
    const insert = async (name: string, days: number, changed: number, fields = {}) => {
      const { id } = await event({ name, dateStart: inDays(days), dateEnd: inDays(days + 0.1), ...fields });
      await changedInDays(id, changed);
    };
    await insert('soon', 10, -200);
    await insert('in a year, but an hour', 365 - 1 / 24, -200);
    await insert('two months ago', -60, -200);
    await insert('cancelled', 12, -200, { status: 2 });
    await insert('long ago', -120, -200);
    await insert('in two years', 700, -200);
    await insert('long ago, but changed', -121, -10);
    await insert('in two years, but changed', 701, -10);
    await insert('a draft', 10, -10, { status: 0 });
    await insert('archived', 10, -10, { status: 3 });
    await insert('for members', 10, -10, { visibility: 'organization' });
    expect(await names()).toEqual([
      'soon',
      'cancelled',
      'in a year, but an hour',
      'in two years, but changed',
      'two months ago',
      'long ago, but changed',
    ]);
  });

  it('holds the next 500 of more', async () => {
    const { organizationId, event, names } = await place();
    await event({ name: 'yesterday', dateStart: inDays(-1.1), dateEnd: inDays(-1) });
    await event({ name: 'now', dateStart: inDays(-1), dateEnd: inDays(1) });
    await server.execute(
      `insert into event (id, organization_id, name, slug, status, visibility, registration, date_start, date_end, timezone)
        select gen_random_uuid(), ?, 'number ' || n, 'number-' || n, 1, 'public', 'open', now() + n * interval '1 hour',
          now() + n * interval '1 hour', 'UTC' from generate_series(1, 520) n`,
      [organizationId],
    );
    const found = await names();
    expect(found).toHaveLength(500);
    expect([found[0], found[1], found.at(-1)]).toEqual(['now', 'number 1', 'number 499']);
  });

  it('names the organization, shows its events as members see them, and marks cancelled ones', async () => {
    const { organizationId, event, get } = await place();
    const { id } = await event({ status: 2, name: 'Ball; "in", white' });
    await server.execute('update event set version = 3 where id = ?', [id]);
    const response = await get('events');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="calendar-.*-events\.ics"$/);
    const text = await response.clone().text();
    expect(text).toContain('X-WR-CALNAME:Folk\\; "Dance"\\, Ltd\r\n');
    const [found] = await eventsOf(response);
    expect(found).toMatchObject({
      uid: `${id}@events.test`,
      sequence: 2,
      status: 'CANCELLED',
      summary: 'Ball; "in", white',
    });
    expect(text).not.toContain(organizationId);
  });

  it('is asked again for one statement, until an event changes', async () => {
    const { event, get } = await place();
    const { id } = await event({ name: 'before' });
    const first = await get('events');
    expect(first.headers.get('cache-control')).toBe('public, max-age=30');
    const known = { 'if-none-match': first.headers.get('etag') as string };
    const again = await countStatements(server.orm, () => get('events', known));
    expect([again.result.status, await again.result.text(), again.statements.length]).toEqual([304, '', 1]);
    await server.execute(`update event set name = 'after' where id = ?`, [id]);
    const [changed] = await eventsOf(await get('events', known));
    expect(changed?.summary).toBe('after');
  });

  it('is there for an organization without events, and not for one that does not exist', async () => {
    const { get } = await place();
    expect(await eventsOf(await get('events'))).toEqual([]);
    for (const name of ['nobody', '%00', 'x'.repeat(300), '..%2f..']) {
      const response = await send(server, {}, `GET /o/${name}/events.ics`);
      expectCode(response, 404, 'NOT_FOUND');
      expect(response.headers.has('etag')).toBe(false);
    }
    const refused = await fetch(`${server.url}/o/nobody/events.ics`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('GET /o/{organization}/{event}.ics', () => {
  it('holds a public event, by its slug or a former one', async () => {
    const { organizationId, event, get } = await place();
    const { id, slug } = await event({ slug: 'spring-ball' });
    const former = `insert into event_slug (organization_id, slug, event_id) values (?, 'first-ball', ?)`;
    await server.execute(former, [organizationId, id]);
    for (const name of [slug, 'first-ball']) {
      const response = await get(name);
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="spring-ball.ics"');
      const [found] = await eventsOf(response);
      expect(found).toMatchObject({ uid: `${id}@events.test`, status: 'CONFIRMED' });
    }
    const head = await fetch((await get(slug)).url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it.each([
    ['a draft', { status: 0 }],
    ['archived', { status: 3 }],
    ['for members', { visibility: 'organization' }],
  ] as const)('does not exist for an event that is %s', async (_title, fields) => {
    const { event, get } = await place();
    const { slug } = await event(fields);
    expect((await get(slug)).status).toBe(404);
  });

  it('does not show the events of another organization', async () => {
    const one = await place();
    const other = await place();
    const { slug } = await one.event();
    expect((await one.get(slug)).status).toBe(200);
    expect((await other.get(slug)).status).toBe(404);
  });
});

/** Somebody else who is making a long calendar until `end` is called. */
function maker(): { end(): void; ended: Promise<void> } {
  const viewer = { userId: randomUUIDv7(), sessionId: randomUUIDv7() };
  const client = { ip: null, userAgent: null, requestId: randomUUIDv7() };
  const ctx = { viewer, membership: null, publicScope: null, client, waits: new ClientWaits(), usage: new Usage() };
  const { promise, resolve } = Promise.withResolvers<void>();
  return { end: resolve, ended: inCalendarTurn(ctx as unknown as Context, () => promise) };
}

it('long calendars are made two at a time; a single event waits for none', async () => {
  const home = await organizer(server);
  const ofEvent = `${home.pathOf(await home.event())}.ics`;
  const { body } = await send<{ url: string }>(server, home.team.member, 'POST /auth/calendar', {});
  const ofOrganization = `${home.list}/events.ics`;
  const ofUser = new URL(body.url).pathname;
  const answered: string[] = [];
  const ask = async (path: string) => {
    const { status } = await fetch(server.url + path);
    answered.push(path);
    return status;
  };

  const makers = [maker(), maker()];
  const waiting = [ask(ofOrganization), ask(ofUser)];
  // those that wait were asked for before all of these
  for (let count = 0; count < 20; count += 1) expect(await ask(ofEvent)).toBe(200);
  expect(new Set(answered)).toEqual(new Set([ofEvent]));
  for (const each of makers) each.end();
  expect(await Promise.all(waiting)).toEqual([200, 200]);
  await Promise.all(makers.map(({ ended }) => ended));
});
