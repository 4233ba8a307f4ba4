import { describe, expect, it } from 'vitest';
import { insertEvent, insertSubscription } from '../support/fixtures.ts';
import { untilLocked } from '../support/locks.ts';
import { expectCode, graphql, send, trailOf } from '../support/send.ts';
import { createTeam, type Person, serveInTest, serveTeam } from '../support/server.ts';
import { insertSubscribers } from '../support/subscribing.ts';

const { server, team } = await serveTeam();

const dates = { date_start: '2027-05-01T10:00:00Z', date_end: '2027-05-01T12:00:00Z' };

const post = (key: string, body: unknown, person: Person = team.manager, path = '/events', at = server) =>
  send<never>(at, person, `POST ${path}`, body, { 'idempotency-key': key });

const made = (name: string) => ({ name, ...dates });
const count = async () => (await send<number>(server, team.manager, 'GET /events/count')).body;

const create = (name: string, alias = 'made') =>
  `${alias}: createEvent(input: { name: "${name}", dateStart: "2027-05-01T10:00:00Z", dateEnd: "2027-05-01T12:00:00Z" }) { event { id name } }`;
const run = (key: string, document: string) =>
  graphql(server, team.manager, document, undefined, { 'idempotency-key': key });

describe('Idempotency-Key', () => {
  it('refuses the same request at once while the first one runs, also where a user has one connection at a time', async () => {
    const { body } = await post('event', { name: 'Held', ...dates, status: 1 });
    const event: { id: string } = body;
    const subscribe = (given: object = {}) => post('running', given, team.member, `/events/${event.id}/subscriptions`);
    const { first } = await server.orm.em.transactional(async (em) => {
      await em.execute('select from event where id = ? for update', [event.id]);
      const first = subscribe();
      await untilLocked(server);
      const [same, other] = await Promise.all([subscribe(), subscribe({ answers: {} })]);
      expectCode(same, 409, 'CONFLICT');
      expect(same.headers.get('retry-after')).toBe('1');
      expectCode(other, 422, 'IDEMPOTENCY_MISMATCH');
      expect(other.text).toContain('Use a new key');
      // not the promise itself: the transaction would wait for it
      return { first };
    });
    expect((await first).status).toBe(201);
    // afterwards everybody gets its response, however many ask at once
    const again = await Promise.all(Array.from({ length: 10 }, () => subscribe()));
    expect(again.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(again.map(() => 'true'));
  });

  it('returns the first answer of a write that changed nothing, too', async () => {
    const { body: event } = await send(server, team.manager, 'POST /events', made('Unchanged'));
    const path = `/events/${event.id}/subscriptions/transition`;
    const move = () => post('moved', { ids: ['nonsense'], status: 'accepted' }, team.manager, path);
    const answers = [await move(), await move()];
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(answers[1]?.text).toBe(answers[0]?.text);
  });

  it.each(['/events/query', '/public/events/query'])(
    'is not looked at by POST %s, which changes nothing',
    async (path) => {
      const kept = async () => {
        const [row] = await server.execute('select count(*)::int as n from idempotency_key');
        return row?.n;
      };
      const before = await kept();
      const first = await post('read', {}, team.manager, path);
      await post(`before${path}`, made('Meanwhile'));
      const second = await post('read', { limit: 1 }, team.manager, path);
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(second.headers.get('idempotency-replayed')).toBeNull();
      expect(await kept()).toBe(before + 1);
    },
  );

  it('is not looked at by the lookup of a link, even if it is malformed', async () => {
    const refused = await post('a b', { token: 'unknown' }, team.manager, '/public/subscriptions/lookup');
    expectCode(refused, 400, 'INVALID_VERIFICATION_TOKEN');
  });

  it('leaves room for the counts of limits, however many organizations write at once', async () => {
    const limited = await serveInTest({ env: { RATE_LIMIT: 'on', DATABASE_POOL_SIZE: '4' } });
    const teams = [await createTeam(limited), await createTeam(limited), await createTeam(limited)];
    const writers = teams.flatMap(({ owner, manager }) => [owner, manager]);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const writer = writers[index % writers.length] as Person;
        return post(`key-${index}`, made(`Event ${index}`), writer, '/events', limited);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });
});

describe('Idempotency-Key on /graphql', () => {
  it('takes everything back if one mutation of the operation fails, and keeps nothing', async () => {
    const before = await count();
    const document = `mutation { ${create('Good')} ${create('', 'bad')} }`;
    const failed = await run('b', document);
    expect(failed.data).toBeNull();
    expect(failed.errors?.map(({ extensions }) => extensions.code)).toEqual(['VALIDATION_ERROR']);
    expect(await count()).toBe(before);
    // without a key each mutation is on its own
    expect((await graphql(server, team.manager, document)).data).toMatchObject({ made: { event: { name: 'Good' } } });
    expect((await run('b', `mutation { ${create('Good')} }`)).errors).toBeUndefined();
  });

  it('is not looked at for queries', async () => {
    expect((await run('a b', '{ viewer { name } }')).errors).toBeUndefined();
  });

  it('is not looked at by mutations of the own account, whose refusals stay in the audit trail', async () => {
    const change =
      'mutation { changePassword(input: {currentPassword: "not this one", password: "another good one"}) { clientMutationId } }';
    const refused = await run('account', change);
    expect(refused.errors?.[0]?.extensions.code).toBe('INVALID_CREDENTIALS');
    expect(await trailOf(server, team.owner, { action: 'password.refused' })).toMatchObject([
      { actor_id: team.manager.userId },
    ]);
    const rename = 'mutation { updateProfile(input: {name: "A manager"}) { clientMutationId } }';
    for (const answer of [await run('renamed', rename), await run('renamed', rename)]) {
      expect([answer.errors, answer.headers.get('idempotency-replayed')]).toEqual([undefined, null]);
    }
  });

  it('refuses mutations of the own account together with others, which a retry would repeat', async () => {
    const before = await count();
    const rename = 'updateProfile(input: {name: "A manager"}) { clientMutationId }';
    const refused = await run('mixed', `mutation { ${create('Mixed')} ${rename} }`);
    expect(refused.errors?.map(({ extensions }) => extensions.code)).toEqual(['INVALID_QUERY']);
    expect(await count()).toBe(before);
  });
});

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
  expect([second.status, second.headers.get('etag')]).toEqual([200, first.headers.get('etag')]);
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
