import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import { insertEvent, insertSubscription } from '../support/fixtures.ts';
import { globalId, query, send } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';
import { created, facesOf, future, mutate, type WriteFace } from '../support/write-faces.ts';

// More rules of writing (reference/writes.md): guards, copies, answers and what comes back.

const { server, team } = await serveTeam();
const faces = facesOf(server);

describe.each(faces)('by $name', (face) => {
  const create = async (fields: Record<string, unknown> = {}) => await created(face, team.manager, fields);
  const read = async (id: string) => (await send<EventRow>(server, team.manager, `GET /events/${id}`)).body;

  it('managers and owners create events, as a draft or active, with every default', async () => {
    for (const person of [team.manager, team.owner]) {
      const { code, value } = await face.createEvent(person, { name: 'Default', ...future });
      expect(code).toBeNull();
      expect(await read(value.id)).toMatchObject({
        ...{ description: null, status: 0, timezone: 'UTC', location: null, capacity: null },
        ...{ visibility: 'organization', registration: 'open', waiting_list: true, accepted_count: 0, version: 1 },
      });
    }
    expect((await face.createEvent(team.manager, { name: 'Active', ...future, status: 1 })).value.status).toBe(1);
  });

  it('without a guard the last writer wins, field by field', async () => {
    const event = await create();
    const fields = [{ name: 'New' }, { location: 'Hall' }, { capacity: 7 }, { description: 'All' }];
    const answers = await Promise.all(fields.map((each) => face.updateEvent(team.manager, event.id, each)));
    expect(answers.map(({ code }) => code)).toEqual([null, null, null, null]);
    expect(await read(event.id)).toMatchObject({ ...Object.assign({}, ...fields), version: 5 });
  });

  it('a copy has what is given, the form, and nothing of what became of the original', async () => {
    const given = {
      ...{ description: 'Long', location: 'Hall', capacity: 2, visibility: 'public', registration: 'approval' },
      ...{ waiting_list: false, timezone: 'Europe/Berlin' },
    };
    const event = await create({ ...given, slug: `original-${face.name}` });
    const questions = [{ key: 'diet', type: 'text', label: 'Diet' }];
    await send(server, team.manager, `PUT /events/${event.id}/form`, { questions: [] });
    expect((await send(server, team.manager, `PUT /events/${event.id}/form`, { questions })).status).toBe(200);
    await face.subscribe(team.manager, event.id, { user_id: team.member.userId, status: 'accepted' });
    await face.updateEvent(team.manager, event.id, { status: 2 });

    const plain = (await face.duplicateEvent(team.manager, event.id, {})).value;
    expect(await read(plain.id)).toMatchObject({
      ...{ ...given, ...future, name: 'Row', status: 0, version: 1, accepted_count: 0 },
    });
    expect(plain.slug).not.toBe(event.slug);
    // either date moves the other, so that it takes as long
    const moved = { date_start: '2128-01-01T00:00:00.000Z', date_end: '2128-01-01T02:00:00.000Z' };
    for (const [name, date] of Object.entries(moved)) {
      const { value } = await face.duplicateEvent(team.manager, event.id, { [name]: date });
      expect(await read(value.id)).toMatchObject(moved);
    }
    const form = await send(server, team.manager, `GET /events/${plain.id}/form`);
    expect(form.body).toEqual({ version: 1, questions });
    expect(await server.execute('select from subscription where event_id = ?', [plain.id])).toEqual([]);

    const other = {
      ...{ name: 'Copy', description: null, location: null, capacity: null, visibility: 'organization' },
      ...{ registration: 'open', waiting_list: true, timezone: 'UTC', status: 1, slug: `copy-${face.name}` },
      ...{ date_start: '2128-01-01T00:00:00.000Z', date_end: '2128-01-05T00:00:00.000Z' },
    };
    const copy = (await face.duplicateEvent(team.manager, event.id, other)).value;
    expect(await read(copy.id)).toMatchObject(other);
    expect(await read(event.id)).toMatchObject({ ...given, version: 2, status: 2 });
    await face.updateEvent(team.manager, event.id, { location: null, capacity: null });
    expect(await read(event.id)).toMatchObject({ ...given, location: null, capacity: null, version: 3 });
  });

  it('a waiting subscription says since when, and none other does', async () => {
    const event = await create({ capacity: 0 });
    const { value } = await face.subscribe(team.member, event.id);
    const path = `/events/${event.id}/subscriptions/${value.id}`;
    const id = globalId('EventSubscription', value.id);
    const since = async () => {
      const { body } = await send<{ waiting_since: string | null }>(server, team.member, `GET ${path}`);
      const document = `{ node(id: "${id}") { ... on EventSubscription { waitingSince } } }`;
      expect(await query(server, team.member, document)).toEqual({ node: { waitingSince: body.waiting_since } });
      return body.waiting_since;
    };
    expect(await since()).toMatch(/^\d{4}-.*\.\d{3}Z$/);
    await face.updateEvent(team.manager, event.id, { capacity: 1 });
    expect(await since()).toBeNull();
    await face.updateEvent(team.manager, event.id, { status: 2 });
    await face.move(team.manager, event.id, value.id, { status: 'waitlisted' });
    expect(await since()).not.toBeNull();
    await face.move(team.manager, event.id, value.id, { status: 'declined' });
    expect(await since()).toBeNull();
  });

  it('answers that are there already change nothing, whatever the order of their keys', async () => {
    const event = await create();
    const form = async (label: string) => {
      const questions = ['long_key', 'b'].map((key) => ({ key, type: 'text', label }));
      expect((await send(server, team.manager, `PUT /events/${event.id}/form`, { questions })).status).toBe(200);
    };
    await form('First');
    const { value } = await face.subscribe(team.member, event.id, { answers: { long_key: 'x', b: 'y' } });
    const stored = async () => (await server.execute('select xmin, * from subscription where id = ?', [value.id]))[0];
    const before = await stored();
    const turned = { b: 'y', long_key: 'x' };
    for (const answers of [{ long_key: 'x', b: 'y' }, turned]) {
      expect((await face.move(team.member, event.id, value.id, { answers })).code).toBeNull();
      expect(await stored()).toEqual(before);
    }
    // they are answers to another version now
    await form('Second');
    expect((await face.move(team.member, event.id, value.id, { answers: turned })).code).toBeNull();
    expect(await stored()).toMatchObject({ form_version: 2, answers: { b: 'y', long_key: 'x' } });
    await face.move(team.member, event.id, value.id, { answers: { b: 'y' } });
    expect(await stored()).toMatchObject({ answers: { b: 'y' } });
  });

  it('answers are answered by a write as they are read later, byte for byte', async () => {
    const event = await create();
    const questions = ['long_key', 'b', 'a_2', 'a_1'].map((key) => ({ key, type: 'text', label: key }));
    expect((await send(server, team.manager, `PUT /events/${event.id}/form`, { questions })).status).toBe(200);
    const answers = { long_key: 'x', b: 'y', a_2: 'z', a_1: '"' };
    const { member } = team;
    if (face.name === 'rest') {
      const path = `/events/${event.id}/subscriptions`;
      const made = await send<{ id: string }>(server, member, `POST ${path}`, { answers });
      expect(made.text).toBe((await send(server, member, `GET ${path}/${made.body.id}`)).text);
      const fewer = { answers: { long_key: 'x', b: '' } };
      const changed = await send(server, member, `PATCH ${path}/${made.body.id}`, fewer);
      expect(changed.text).toBe((await send(server, member, `GET ${path}/${made.body.id}`)).text);
    } else {
      const selection = 'eventSubscription { id answers }';
      const made = await mutate(server, member, 'subscribeToEvent', selection, { eventId: event.id, answers });
      type Data = { subscribeToEvent: { eventSubscription: { id: string; answers: object } } };
      const { id, answers: told } = (made.data as unknown as Data).subscribeToEvent.eventSubscription;
      const document = 'query ($id: ID!) { node(id: $id) { ... on EventSubscription { answers } } }';
      const { node } = await query<{ node: { answers: object } }>(server, member, document, { id });
      expect(JSON.stringify(told)).toBe(JSON.stringify(node.answers));
    }
  });

  it('a second check-in is told when the first was', async () => {
    const event = await create();
    const { value } = await face.subscribe(team.member, event.id);
    const time = (await face.checkIn(team.manager, event.id, value.id)).value.checked_in_at as string;
    const path = `/events/${event.id}/subscriptions/${value.id}/check-in`;
    const rest = await send(server, team.manager, `POST ${path}`);
    const graphql = await mutate(server, team.manager, 'checkInEventSubscription', 'event { id }', { id: value.id });
    expect(rest.body.detail).toContain(time);
    expect(graphql.errors?.[0]?.message).toContain(time);
  });
});

it('an absent body is an empty object, for every write', async () => {
  const { id } = await insertEvent(server.orm, { organizationId: team.organizationId });
  const row = await insertSubscription(server.orm, { eventId: id, userId: team.member.userId });
  const path = `/events/${id}`;
  const ask = async (request: string) => {
    const answers = [await send(server, team.manager, request), await send(server, team.manager, request, {})];
    return answers.map(({ status }) => status);
  };
  expect(await ask('POST /events')).toEqual([400, 400]);
  expect(await ask(`PATCH ${path}`)).toEqual([200, 200]);
  expect(await ask(`POST ${path}/duplicate`)).toEqual([201, 201]);
  expect(await ask(`POST ${path}/subscriptions`)).toEqual([201, 409]);
  expect(await ask(`PATCH ${path}/subscriptions/${row.id}`)).toEqual([200, 200]);
  expect(await ask(`POST ${path}/subscriptions/transition`)).toEqual([400, 400]);
  expect(await ask(`POST ${path}/subscriptions/${row.id}/check-in`)).toEqual([200, 409]);
  expect(await ask(`DELETE ${path}/subscriptions/${row.id}/check-in`)).toEqual([200, 200]);
  expect(await ask(`DELETE ${path}`)).toEqual([409, 409]);
});

it('PATCH /events/{event} changes nothing under an If-Match that does not hold', async () => {
  const [face] = faces;
  const event = await created(face as WriteFace, team.manager);
  const guarded = (tag: string, name: string) =>
    send(server, team.manager, `PATCH /events/${event.id}`, { name }, { 'if-match': tag });
  const malformed = ['w/"1"', 'W/ "1"', 'x"1"', '"1"x', '"7" "1"', '"1", x', '*, "1"', '"1'];
  for (const tag of ['"2"', 'W/"1"', '1', '""', ...malformed]) {
    expect([tag, (await guarded(tag, 'x')).status]).toEqual([tag, 412]);
  }
  for (const list of ['"7", "1"', ' ,"7,8" ,, "2",']) {
    expect([list, (await guarded(list, list)).status]).toEqual([list, 200]);
  }
  const any = await guarded('*', 'any');
  expect([any.status, any.headers.get('etag')]).toEqual([200, '"4"']);
});
