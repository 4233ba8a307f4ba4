import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guestOf } from '../support/guests.ts';
import { send } from '../support/send.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createTeam, type Team } from '../support/team.ts';

let server: TestServer;
let team: Team;
beforeAll(async () => {
  server = await startTestServer();
  team = await createTeam(server);
});
afterAll(() => server.close());

interface Media {
  content: { 'application/json': { example?: unknown } };
}
interface Operation {
  operationId: string;
  tags: string[];
  requestBody?: Media;
  responses: Record<string, Media>;
}
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

/** The writes of events and subscriptions, in an order in which each can follow the one before. */
const story = [
  'createEvent',
  'duplicateEvent',
  'deleteEvent',
  'updateEvent',
  'setEventForm',
  'subscribe',
  'checkIn',
  'undoCheckIn',
  'updateSubscription',
  'transitionSubscriptions',
];

test('every write of an event or a subscription has examples', () => {
  const writes = operations.filter(
    ({ path, method, tags }) =>
      ['events', 'subscriptions'].includes(tags[0] ?? '') && method !== 'get' && !path.endsWith('/query'),
  );
  expect(writes.map(({ operationId }) => operationId).sort()).toEqual([...story].sort());
});

/** Of a stranger who becomes a guest; before the one to cancel, what the guest reads. */
const guestStory = [
  'getPublicEvent',
  'getPublicEventForm',
  'requestGuestSubscription',
  'confirmGuestSubscription',
  'lookUpSubscription',
  'changeOwnAnswers',
  'cancelOwnSubscription',
];

test('every operation of a guest has examples', () => {
  const ofGuests = operations.filter(({ tags }) => tags[0] === 'guests');
  expect(guestStory).toEqual(expect.arrayContaining(ofGuests.map(({ operationId }) => operationId)));
});

/** The ids of the service, by those of the examples. */
const ids = new Map<string, string>();
const here = (text: string) => text.replace(/[\da-f]{8}-[\da-f-]{27}/g, (id) => ids.get(id) ?? id);
const find = (name: string) => {
  const found = operations.find(({ operationId }) => operationId === name) as (typeof operations)[number];
  const [[status, { content }] = ['', {} as Media]] = Object.entries(found.responses);
  const example = found.requestBody?.content['application/json'].example;
  return { ...found, status: Number(status), sent: example, answered: content['application/json'].example };
};

test('the examples are what the service takes and answers', async () => {
  const places: Record<string, string> = {};
  for (const name of story) {
    const { path, method, sent, status, answered } = find(name);
    const target = path.replace(/\{(\w+)\}/g, (_, parameter) =>
      name === 'deleteEvent' ? (places.copy ?? '') : (places[parameter] ?? ''),
    );
    const body = sent && JSON.parse(here(JSON.stringify(sent)));
    const answer = await send<Record<string, string>>(server, team.owner, `${method.toUpperCase()} ${target}`, body);
    expect([name, answer.status, answer.text]).toEqual([name, status, answer.text]);
    const example = answered as Record<string, string>;
    for (const key of ['id', 'user_id']) {
      if (example[key] && !ids.has(example[key])) ids.set(example[key], String(answer.body[key]));
    }
    if (name === 'createEvent') places.event = String(answer.body.id);
    if (name === 'duplicateEvent') places.copy = String(answer.body.id);
    if (name === 'subscribe') places.subscription = String(answer.body.id);
    expect(timeless(answer.body), name).toEqual(timeless(JSON.parse(here(JSON.stringify(example)))));
  }
});

test('so are those of a guest, with the tokens of the mails', async () => {
  const { organizationId } = team;
  const eventId = ids.get((find('getPublicEvent').answered as { id: string }).id) as string;
  await send(server, team.owner, `PATCH /events/${eventId}`, { visibility: 'public' });
  const { email } = find('requestGuestSubscription').sent as { email: string };
  const guest = guestOf(server, organizationId);
  let token = '';
  for (const name of guestStory) {
    const { path, method, sent, status, answered } = find(name);
    if (name === 'confirmGuestSubscription') token = await guest.mailed(email);
    if (name === 'lookUpSubscription') token = await guest.mailed(email, 2);
    const body = sent && JSON.parse(JSON.stringify(sent), (key, each) => (key === 'token' ? token : each));
    const request = `${method.toUpperCase()} ${path.replace('{event}', eventId)}`;
    const answer = await send(server, path.includes('/events/') ? { organizationId } : {}, request, body);
    expect([name, answer.status, answer.text]).toEqual([name, status, answer.text]);
    expect(timeless(answer.body), name).toEqual(timeless(JSON.parse(here(JSON.stringify(answered)))));
  }
});

/** Without the times at which something was written: whether there is one is all that can be the same. */
function timeless(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each) => (/_at$/.test(key) && each !== null ? '<time>' : each));
}
