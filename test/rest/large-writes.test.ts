import { expect, it } from 'vitest';
import { insertEvent, insertSubscription } from '../support/fixtures.ts';
import { graphql } from '../support/graphql.ts';
import { expectCode, send } from '../support/send.ts';
import { insertSubscribers } from '../support/subscribers.ts';
import { serveTeam } from '../support/team.ts';

const { server, team } = await serveTeam();

const kibibyte = 1024;

/** An event in the future with two pending subscriptions, each with answers of this many bytes. */
async function pending(bytes: number) {
  const dateStart = new Date(Date.now() + 86_400_000);
  const { id: eventId } = await insertEvent(server.orm, { organizationId: team.organizationId, dateStart });
  const answers = { text: 'x'.repeat(bytes) };
  const rows = [team.member, team.owner].map(({ userId }) =>
    insertSubscription(server.orm, { eventId, userId, status: 'pending', answers }),
  );
  return { eventId, ids: (await Promise.all(rows)).map(({ id }) => id) };
}

/** What is stored of it: statuses, history, mails and kept answers. */
const stored = async (eventId: string) =>
  await server.execute(
    `select (select array_agg(status order by id) from subscription where event_id = ?) as statuses,
      (select count(*)::int from subscription_change) as changes, (select count(*)::int from job where lane ~ 'mails') as mails,
      (select count(*)::int from idempotency_key) as keys`,
    [eventId],
  );

const accept = `mutation ($ids: [ID!]!) { updateEventSubscriptions(input: {ids: $ids, status: ACCEPTED}) {
  eventSubscriptions { status answers } } }`;

it('a write by REST whose answer is too large to keep is refused under a key, and changes nothing', async () => {
  const { eventId, ids } = await pending(550 * kibibyte);
  const before = await stored(eventId);
  const path = `POST /events/${eventId}/subscriptions/transition`;
  const ask = (headers: Record<string, string>) =>
    send(server, team.manager, path, { ids, status: 'accepted', notify: false }, headers);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = await ask({ 'idempotency-key': 'too-large' });
    expectCode(refused, 400, 'INVALID_QUERY');
    expect(refused.body.detail).toContain('larger than 1 MiB');
    expect(await stored(eventId)).toEqual(before);
  }
  // without a key nothing is kept
  expect(await ask({})).toMatchObject({ status: 200, body: { errors: [] } });
});

it('so is an operation of GraphQL, which selects less instead', async () => {
  const { eventId, ids } = await pending(550 * kibibyte);
  const before = await stored(eventId);
  const key = { 'idempotency-key': 'too-large-too' };
  const { errors, data } = await graphql(server, team.manager, accept, { ids }, key);
  expect(data ?? null).toBeNull();
  expect(errors).toMatchObject([
    { message: expect.stringContaining('nothing was changed'), extensions: { code: 'INVALID_QUERY' } },
  ]);
  expect(await stored(eventId)).toEqual(before);
  const less = accept.replace('status answers', 'status');
  expect((await graphql(server, team.manager, less, { ids }, key)).errors).toBeUndefined();
});

it('an answer of a mebibyte is kept: the echo of the largest form under a key is given again, byte for byte', async () => {
  const { id } = await insertEvent(server.orm, { organizationId: team.organizationId });
  const options = Array.from({ length: 50 }, (_, index) => ({
    value: String(index).padEnd(200, 'v'),
    label: 'l'.repeat(200),
  }));
  const help = 'h'.repeat(500);
  const question = (index: number) => ({ key: `q${index}`, type: 'choices', label: 'Which?', help, options });
  const body = { questions: Array.from({ length: 48 }, (_, index) => question(index)) };
  const bytes = Buffer.byteLength(JSON.stringify(body));
  expect(bytes).toBeLessThanOrEqual(kibibyte * kibibyte);
  expect(bytes).toBeGreaterThan(1000 * kibibyte);
  const put = () => send(server, team.manager, `PUT /events/${id}/form`, body, { 'idempotency-key': 'large-form' });
  const [first, second] = [await put(), await put()];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

it('moving 100 subscriptions reads nothing of their event again and again: the longest description is no obstacle', async () => {
  const { organizationId } = team;
  const description = '\u{1f389}'.repeat(20_000);
  const dateStart = new Date(Date.now() + 86_400_000);
  const { id: eventId } = await insertEvent(server.orm, { organizationId, description, dateStart, capacity: 99 });
  const ids = await insertSubscribers(server.orm, eventId, 100, 'pending');
  const path = `POST /events/${eventId}/subscriptions/transition`;
  type Body = { items: unknown[]; errors: { code: string }[] };
  const { status, body, text } = await send<Body>(server, team.manager, path, {
    ids,
    status: 'accepted',
    notify: false,
  });
  expect(status, text).toBe(200);
  expect([body.items.length, body.errors.map(({ code }) => code)]).toEqual([99, ['EVENT_FULL']]);
  const [event] = await server.execute('select accepted_count, description from event where id = ?', [eventId]);
  expect(event).toEqual({ accepted_count: 99, description });
});
