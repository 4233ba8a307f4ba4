import { describe, expect, it } from 'vitest';
import { insertEvent, insertSubscription, insertUser } from '../support/fixtures.ts';
import { callerHeaders } from '../support/graphql.ts';
import { expectCode, pointersOf, send } from '../support/send.ts';
import { createTeam, type Person, serveTeam } from '../support/team.ts';

// The subscriptions of a whole organization as a file (reference/calendars-and-exports.md#exports).

const { server, team } = await serveTeam();
const stranger = await createTeam(server);
const people = await Promise.all(['Ada', 'Eve'].map((name) => insertUser(server.orm, { name })));
const [ada, eve] = people as [{ id: string; email: string }, { id: string; email: string }];
const dateStart = new Date('2031-05-03T10:00:00.120Z');
const event = async (name: string, organizationId = team.organizationId) =>
  (await insertEvent(server.orm, { organizationId, name, dateStart, slug: name.toLowerCase() })).id;
const [bread, soap, unused] = [await event('Bread'), await event('Soap'), await event('Unused')];
const elsewhere = await event('Elsewhere', stranger.organizationId);
const asksFor = async (id: string, key: string) =>
  await send(server, team.manager, `PUT /events/${id}/form`, { questions: [{ key, type: 'text', label: 'Q' }] });
await asksFor(bread, 'size');
await asksFor(unused, 'never');
const subscribe = (eventId: string, userId: string, answers: Record<string, unknown> | null, status = 'accepted') =>
  insertSubscription(server.orm, { eventId, userId, answers, status: status as 'accepted' });
await subscribe(bread, ada.id, { size: 'XL' });
await subscribe(soap, eve.id, { scent: '=lavender' });
await subscribe(soap, ada.id, null, 'declined');
await subscribe(elsewhere, eve.id, { secret: 'x' });

const download = async (person: Person, query: string) =>
  await fetch(`${server.url}/subscriptions/export?${query}`, { headers: callerHeaders(person) });

describe('GET /subscriptions/export', () => {
  it.each(['', '&include=user', '&include=event', '&include=user+event&sort=-1'])(
    'gives as NDJSON the items of the list%s',
    async (query) => {
      const response = await download(team.manager, `format=ndjson${query}`);
      const items = (await response.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const { body } = await send(server, team.manager, `GET /subscriptions?${query}`);
      expect(items).toHaveLength(3);
      expect(items).toEqual(body.items);
    },
  );

  it('gives as CSV a column for each answer to any form of its events, and those of users and events', async () => {
    const response = await download(team.owner, 'format=csv&fields=status+answers&include=user+event');
    expect(response.headers.get('content-disposition')).toMatch(/filename="subscriptions-\d{4}-\d\d-\d\d\.csv"$/);
    const [header = '', ...rows] = (await response.text()).split('\r\n');
    const columns = header.split(',');
    expect(columns.slice(1, 7)).toEqual([
      'answers.scent',
      'answers.size',
      'user.id',
      'user.name',
      'user.avatar_url',
      'user.email',
    ]);
    expect(columns).toContain('event.date_start');
    const cells = rows
      .slice(0, 3)
      .map((row) => Object.fromEntries(row.split(',').map((cell, i) => [columns[i], cell])));
    expect(
      cells.map((row) => [row['answers.size'], row['answers.scent'], row['user.name'], row['event.name']]),
    ).toEqual([
      ['XL', '', 'Ada', 'Bread'],
      ['', "'=lavender", 'Eve', 'Soap'],
      ['', '', 'Ada', 'Soap'],
    ]);
    expect(cells[0]?.['event.date_start']).toBe('2031-05-03T10:00:00.120Z');
  });

  it('takes the filter of the list', async () => {
    const where = encodeURIComponent(JSON.stringify({ event_id: soap, status: { $ne: 'declined' } }));
    const text = await (await download(team.manager, `format=ndjson&fields=user_id&where=${where}`)).text();
    expect(text).toBe(`${JSON.stringify({ user_id: eve.id })}\n`);
  });

  it('needs a format, and has no pages', async () => {
    const faulty = await send(server, team.manager, 'GET /subscriptions/export?limit=5&token=x&from=x&include=changes');
    expectCode(faulty, 400, 'INVALID_QUERY');
    expect(pointersOf(faulty)).toEqual(['/limit', '/token', '/from', '/format', '/include']);
  });
});
