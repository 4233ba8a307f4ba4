import { describe, expect, it } from 'vitest';
import { exportsOf } from '../support/exports.ts';
import { insertEvent, insertSubscription, insertUser } from '../support/fixtures.ts';
import { expectCode, send, trailOf } from '../support/send.ts';
import { createTeam, serveTeam } from '../support/server.ts';
import { insertSubscribers, subscribing } from '../support/subscribing.ts';

const { server, team } = await serveTeam({ env: { RATE_LIMIT: 'on' } });
const { download, textOf, lines, walk } = exportsOf(server, team.manager);

describe('GET /events/{event}/subscriptions/export', () => {
  it('gives users and answers as columns, of every key that a row or a version of the form has', async () => {
    const { id: eventId } = await insertEvent(server.orm, { organizationId: team.organizationId, slug: 'exported' });
    const ada = await insertUser(server.orm, { name: 'Ada' });
    const eve = await insertUser(server.orm, { name: '=cmd()' });
    await insertSubscription(server.orm, { eventId, userId: ada.id, answers: { diet: ['none', 'nuts'], age: 36 } });
    await insertSubscription(server.orm, { eventId, userId: eve.id, answers: { 'first, time': true, diet: '-' } });
    for (const key of ['zip', 'diet']) await subscribing(server, team).ask({ id: eventId }, key);
    const asked = 'fields=user_id%20status%20answers&include=user';
    const { text, response } = await textOf(`/events/${eventId}/subscriptions/export?format=csv&${asked}`);
    expect(text.split('\r\n')).toEqual([
      '\uFEFFuser_id,status,answers.age,answers.diet,"answers.first, time",answers.zip,user.id,user.name,user.avatar_url,user.email',
      `${ada.id},accepted,36,"[""none"",""nuts""]",,,${ada.id},Ada,,${ada.email}`,
      `${eve.id},accepted,,'-,true,,${eve.id},'=cmd(),,${eve.email}`,
      '',
    ]);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="subscriptions-exported.csv"');
    const path = `/events/${eventId}/subscriptions`;
    expect(await lines(`${path}/export?format=ndjson&${asked}`)).toEqual(await walk(`${path}?${asked}`));
  });

  it('is in the audit trail, as other exports are', async () => {
    const { manager, owner, organizationId } = await createTeam(server);
    const { id: eventId } = await insertEvent(server.orm, { organizationId });
    await textOf('/events/export?format=ndjson', manager);
    await textOf(`/events/${eventId}/subscriptions/export?format=csv`, owner);
    await textOf('/subscriptions/export?format=ndjson', manager);
    await download(manager, `/events/${eventId}/subscriptions/export?format=pdf`);
    const where = { $or: [{ action: 'events.exported' }, { action: 'subscriptions.exported' }] };
    const items = await trailOf(server, owner, where);
    expect(items).toMatchObject([
      { action: 'events.exported', actor_id: manager.userId, detail: { format: 'ndjson' } },
      { action: 'subscriptions.exported', actor_id: owner.userId, detail: { event: eventId, format: 'csv' } },
      { action: 'subscriptions.exported', actor_id: manager.userId, detail: { format: 'ndjson' } },
    ]);
    // of several events none is named
    expect(items[2]).not.toHaveProperty('detail.event');
  });

  it('has columns for a thousand answers, of the newest versions, and one for all others', async () => {
    const { id: eventId } = await insertEvent(server.orm, { organizationId: team.organizationId });
    await server.execute(`with content as (
        insert into form_content (organization_id, hash, questions)
        select '${team.organizationId}', int4send(version), (select jsonb_agg(jsonb_build_object('key', 'k' || version || '_' || q,
          'type', 'text', 'label', 'Q')) from generate_series(1, 50) q) from generate_series(1, 21) version returning hash
      )
      insert into form_version (event_id, organization_id, version, hash)
        select '${eventId}', '${team.organizationId}', row_number() over (order by hash), hash from content`);
    const { id: userId } = await insertUser(server.orm, {});
    await insertSubscription(server.orm, { eventId, userId, answers: { k21_1: 'new', k1_1: 'old', k1_2: 'older' } });
    const { text } = await textOf(`/events/${eventId}/subscriptions/export?format=csv&fields=answers`);
    const [header = '', row = ''] = text.slice(1).split('\r\n');
    const columns = header.split(',');
    expect(columns).toHaveLength(1_001);
    expect(columns.at(-1)).toBe('answers');
    expect(columns).toContain('answers.k2_50');
    expect(columns).not.toContain('answers.k1_1');
    expect(row.split(',', 1_000)[columns.indexOf('answers.k21_1')]).toBe('new');
    expect(row.endsWith(',"{""k1_1"":""old"",""k1_2"":""older""}"')).toBe(true);
  });

  it('passes on what a request may not load at once', async () => {
    const { id: eventId } = await insertEvent(server.orm, { organizationId: team.organizationId });
    await insertSubscribers(server.orm, eventId, 24);
    const answers = `jsonb_build_object('story', repeat('x', 1000000))`;
    await server.execute(`update subscription set answers = ${answers} where event_id = ?`, [eventId]);
    const response = await download(team.manager, `/events/${eventId}/subscriptions/export?format=csv`);
    let [ends, bytes] = [0, 0];
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 0x0a) ends += 1;
    }
    expect([ends, bytes > 24_000_000]).toEqual([25, true]);
  });

  it('gives answers to questions whose keys every object has', async () => {
    const { id: eventId } = await insertEvent(server.orm, { organizationId: team.organizationId });
    const keys = ['__proto__', 'constructor'];
    const answers = JSON.parse('{"__proto__":"a","constructor":"b"}');
    for (const given of [answers, {}, null]) {
      const { id: userId } = await insertUser(server.orm);
      await insertSubscription(server.orm, { eventId, userId, answers: given });
    }
    const { text } = await textOf(`/events/${eventId}/subscriptions/export?format=csv&fields=status%20answers`);
    expect(text.split('\r\n')).toEqual([
      `\uFEFFstatus,${keys.map((key) => `answers.${key}`).join()}`,
      'accepted,a,b',
      'accepted,,',
      'accepted,,',
      '',
    ]);
  });
});

// the subscriptions of a whole organization: of a team of its own
const whole = await createTeam(server);
const stranger = await createTeam(server);
const ada = await insertUser(server.orm, { name: 'Ada' });
const eve = await insertUser(server.orm, { name: 'Eve' });
const dateStart = new Date('2031-05-03T10:00:00.120Z');
const event = async (name: string, organizationId = whole.organizationId) =>
  (await insertEvent(server.orm, { organizationId, name, dateStart, slug: name.toLowerCase() })).id;
const [bread, soap, unused] = [await event('Bread'), await event('Soap'), await event('Unused')];
const elsewhere = await event('Elsewhere', stranger.organizationId);
const { ask } = subscribing(server, whole);
await ask({ id: bread }, 'size');
await ask({ id: unused }, 'never');
const subscribe = (eventId: string, userId: string, answers: Record<string, unknown> | null, status = 'accepted') =>
  insertSubscription(server.orm, { eventId, userId, answers, status: status as 'accepted' });
await subscribe(bread, ada.id, { size: 'XL' });
await subscribe(soap, eve.id, { scent: '=lavender' });
await subscribe(soap, ada.id, null, 'declined');
await subscribe(elsewhere, eve.id, { secret: 'x' });

describe('GET /subscriptions/export', () => {
  const own = exportsOf(server, whole.manager);

  it.each(['', '&include=user', '&include=event', '&include=user+event&sort=-1'])(
    'gives as NDJSON the items of the list%s',
    async (query) => {
      const items = await own.lines(`/subscriptions/export?format=ndjson${query}`);
      expect(items).toHaveLength(3);
      expect(items).toEqual(await own.walk(`/subscriptions?${query}`));
    },
  );

  it('gives as CSV a column for each answer to any form of its events, and those of users and events', async () => {
    const asked = 'fields=status+answers&include=user+event';
    const { response, text } = await textOf(`/subscriptions/export?format=csv&${asked}`, whole.owner);
    expect(response.headers.get('content-disposition')).toMatch(/filename="subscriptions-\d{4}-\d\d-\d\d\.csv"$/);
    const [header = '', ...rows] = text.split('\r\n');
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
    const asked = `fields=user_id&where=${where}`;
    expect(await own.lines(`/subscriptions/export?format=ndjson&${asked}`)).toEqual([{ user_id: eve.id }]);
  });

  it('needs a format, and has no pages', async () => {
    const path = '/subscriptions/export?limit=5&token=x&from=x&include=changes';
    const faulty = await send(server, whole.manager, `GET ${path}`);
    expectCode(faulty, 400, 'INVALID_QUERY', ['/limit', '/token', '/from', '/format', '/include']);
  });
});
