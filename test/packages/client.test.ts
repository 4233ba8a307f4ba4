import { expect, it } from 'vitest';
import { ApiError, createClient, type SessionState } from '../../packages/client/src/index.ts';
import { insertEvent, insertMembership, insertOrganization, password } from '../support/fixtures.ts';
import { createKey, serveTeam } from '../support/server.ts';

const { server, team } = await serveTeam();
const { id: second } = await insertOrganization(server.orm, { name: 'Second' });
await insertMembership(server.orm, { organizationId: second, userId: team.owner.userId });

const event = { name: 'Soap Making', date_start: '2031-05-04T10:00:00Z', date_end: '2031-05-04T12:00:00Z' };

/** A client whose requests a test sees, changes or loses. */
function clientWith(
  intervene: (request: Request, answer: () => Promise<Response>) => Promise<Response> = (_request, answer) => answer(),
) {
  const requests: Request[] = [];
  const fetchLike: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(request.clone());
    return await intervene(request, () => fetch(request));
  };
  const client = createClient({ url: `${server.url}/`, organization: team.organizationId, fetch: fetchLike });
  const heard: SessionState[] = [];
  const stop = client.onSessionChange((state) => heard.push(state));
  const pathsOf = (method: string) =>
    requests.filter((each) => each.method === method).map(({ url }) => new URL(url).pathname);
  return { client, requests, pathsOf, heard, stop, signIn: () => client.signIn({ email: team.owner.email, password }) };
}

it('signs in, reads and writes both faces, and signs out', async () => {
  const { client, signIn } = clientWith();
  expect(await client.resume()).toBe(false);
  await signIn();
  const made = await client.post('/events', { body: event });
  expect(made).toMatchObject({ name: 'Soap Making', status: 0 });
  const path = { event: made.id };
  const changed = await client.patch('/events/{event}', { params: { path }, body: { status: 1 } });
  expect(changed.version).toBe(2);
  const found = await client.graphql('query ($id: ID!) { event(id: $id) { name } }', { id: made.id });
  expect(found).toEqual({ event: { name: 'Soap Making' } });
  await client.signOut();
  expect(client.signedIn).toBe(false);
  await expect(client.get('/events')).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
});

it('carries the requests of other libraries, with the token and the organization', async () => {
  const { client, signIn } = clientWith();
  await signIn();
  const response = await client.fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ organization { id } viewer { email } }' }),
  });
  expect(await response.json()).toMatchObject({ data: { viewer: { email: team.owner.email } } });
});

it('gives errors of both faces with code, page, pointer and the id of the request', async () => {
  const { client, signIn } = clientWith();
  await signIn();
  const failures = [
    () => client.post('/events', { body: { ...event, name: '' } }),
    () =>
      client.graphql(
        'mutation ($name: String!) { createEvent(input: { name: $name, dateStart: "2031-05-04T10:00:00Z", dateEnd: "2031-05-04T12:00:00Z" }) { event { id } } }',
        { name: '' },
      ),
  ];
  for (const failure of failures) {
    const error = await failure().catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', type: 'http://events.test/errors/VALIDATION_ERROR' });
    expect((error as ApiError).pointers).toEqual([expect.stringMatching(/\/name$/)]);
    expect((error as ApiError).requestId).toMatch(/^[\w-]{36}$/);
  }
});

it('walks a list event by event, and page by page from a cursor that was saved', async () => {
  const { client, signIn } = clientWith();
  await signIn();
  for (let each = 0; each < 7; each += 1) {
    await insertEvent(server.orm, { organizationId: team.organizationId, name: 'Walked' });
  }
  const query = { where: { name: 'walked' }, limit: 3, fields: ['id', 'name'] as const };
  const all: string[] = [];
  for await (const { id } of client.list('/events', query)) all.push(id);
  expect(new Set(all).size).toBe(7);
  const { value: first } = await client.list('/events', query).pages().next();
  const rest: string[] = [];
  for await (const { id } of client.list('/events', { ...query, token: first?.next ?? '' })) rest.push(id);
  expect([...(first?.items.map(({ id }) => id) ?? []), ...rest]).toEqual(all);
});

it('renews the token once for many requests, and repeats them with their bodies', async () => {
  let stale = '';
  const { client, requests, pathsOf, signIn } = clientWith(async (request, answer) => {
    // the first token is no longer good
    const token = request.headers.get('authorization');
    if (token && stale === '') stale = token;
    if (token !== null && token === stale) request.headers.set('authorization', 'Bearer bad');
    return await answer();
  });
  await signIn();
  const names = Array.from({ length: 12 }, (_, index) => `Renewed ${index}`);
  const made = await Promise.all(names.map((name) => client.post('/events', { body: { ...event, name } })));
  expect(made.map(({ name }) => name)).toEqual(names);
  expect(pathsOf('POST').filter((path) => path === '/auth/refresh')).toHaveLength(1);
  // each asked twice, with one key
  const keys = requests
    .filter(({ url }) => url.endsWith('/events'))
    .map(({ headers }) => headers.get('idempotency-key'));
  expect([keys.length, new Set(keys).size]).toEqual([24, 12]);
});

it('a write whose answer is lost is repeated with its key, and done once', async () => {
  let lost = 0;
  const { client, signIn, requests } = clientWith(async (request, answer) => {
    const response = await answer();
    if (request.method !== 'POST' || !request.url.endsWith('/events') || lost++ > 0) return response;
    throw new TypeError('terminated');
  });
  await signIn();
  const made = await client.post('/events', { body: { ...event, name: 'Lost and found' } });
  const found = await client.get('/events/count', { params: { query: { where: { name: 'lost and found' } } } });
  expect([made.name, found]).toEqual(['Lost and found', 1]);
  const tries = requests.filter(({ url }) => url.endsWith('/events'));
  expect(new Set(tries.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  expect(tries).toHaveLength(2);
});

it('waits as long as it is asked to, unless that is beyond its deadline', async () => {
  const busy = (seconds: string) =>
    Response.json({ code: 'SERVICE_UNAVAILABLE', title: 'Busy' }, { status: 503, headers: { 'retry-after': seconds } });
  let tries = 0;
  const { client, signIn } = clientWith(async (request, answer) => {
    if (!request.url.includes('/events')) return await answer();
    tries += 1;
    return tries === 1 ? busy('1') : await answer();
  });
  await signIn();
  const start = performance.now();
  await client.get('/events');
  expect(performance.now() - start).toBeGreaterThan(990);
  const impatient = createClient({ url: server.url, fetch: async () => busy('60'), deadline: 1_000 });
  await expect(impatient.get('/organization')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 60 });
  const alone = createClient({ url: 'http://127.0.0.1:9', deadline: 100 });
  await expect(alone.get('/organization')).rejects.toMatchObject({ code: 'UNREACHABLE', status: 0 });
});

it('takes an API key, which knows its organization', async () => {
  const { secret } = await createKey(server, team.owner);
  const client = createClient({ url: server.url, apiKey: secret });
  expect(await client.get('/organization')).toMatchObject({ id: team.organizationId });
  const revoked = createClient({ url: server.url, apiKey: `${secret.slice(0, -1)}x` });
  await expect(revoked.get('/organization')).rejects.toMatchObject({ code: 'INVALID_TOKEN', status: 401 });
});

it('gives the headers of a response to whoever asks for it', async () => {
  const { client, signIn } = clientWith();
  await signIn();
  const made = await client.post('/events', { body: event }).withResponse();
  expect(made.response.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  const path = { event: made.data.id };
  const read = await client.get('/events/{event}', { params: { path } }).withResponse();
  expect(read.response.headers.get('etag')).toBe('"1"');
  const late = client.patch('/events/{event}', {
    params: { path },
    body: { status: 1 },
    headers: { 'if-match': '"9"' },
  });
  await expect(late.withResponse()).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
    operation: 'PATCH /events/{event}',
    path: `/events/${made.data.id}`,
  });
});

it('walks and counts lists below an object, with the fields and relations that it asked for', async () => {
  const { client, signIn } = clientWith();
  await signIn();
  const { id } = await client.post('/events', { body: { ...event, name: 'Counted', status: 1 } });
  await client.post('/events/{event}/subscriptions', { params: { path: { event: id } }, body: {} });
  const path = { event: id };
  const found: unknown[] = [];
  const query = { path, fields: ['status'], include: ['user'] } as const;
  for await (const item of client.list('/events/{event}/subscriptions', query)) found.push(item);
  expect(found).toEqual([{ status: 'accepted', user: expect.objectContaining({ id: expect.any(String) }) }]);
  expect(await client.count('/events/{event}/subscriptions', { path })).toEqual({ value: 1, exact: true });
  expect(await client.count('/events', { max: 1 })).toEqual({ value: 1, exact: false });
});

it('says when the user signs in, switches the organization and signs out', async () => {
  const { client, heard, stop, signIn } = clientWith();
  await signIn();
  client.switchOrganization(second);
  client.switchOrganization(second);
  expect(await client.get('/organization')).toMatchObject({ id: second, name: 'Second' });
  await client.signOut();
  expect(heard).toEqual([
    { signedIn: true, organization: team.organizationId },
    { signedIn: true, organization: second },
    { signedIn: false, organization: team.organizationId },
  ]);
  stop();
  await signIn();
  expect(heard).toHaveLength(3);
  // somebody else's data does not stay if nobody signed out
  const again: SessionState[] = [];
  client.onSessionChange((state) => again.push(state));
  await signIn();
  expect(again.map(({ signedIn }) => signedIn)).toEqual([false, true]);
});

it('cancels what is in flight for the previous organization, and does not repeat it for the next', async () => {
  const organizations: (string | null)[] = [];
  const { client, signIn } = clientWith(async (request, answer) => {
    if (!request.url.includes('/events')) return await answer();
    organizations.push(request.headers.get('x-organization-id'));
    if (organizations.length > 1) return await answer();
    return await new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
  });
  await signIn();
  const read = client.get('/events');
  const followed = client.changes({ since: 'now' });
  const change = followed.next();
  await expect.poll(() => organizations).toEqual([team.organizationId]);
  client.switchOrganization(second);
  await expect(read).rejects.toMatchObject({ code: 'CANCELLED', status: 0 });
  await expect(change).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await client.get('/events')).toMatchObject({ items: [] });
  expect(organizations).toEqual([team.organizationId, second]);
});

it('says why, when the service ends the session', async () => {
  const { client, heard, signIn } = clientWith();
  const { client: other, signIn: signInElsewhere } = clientWith();
  await signIn();
  const change = client.changes({ since: 'now' }).next();
  await signInElsewhere();
  await other.delete('/auth/sessions');
  // the stream that the service ends is opened once more, which renews: refused, it ends
  await expect(change).rejects.toMatchObject({ code: 'INVALID_TOKEN', status: 401 });
  expect(heard.at(-1)).toMatchObject({ signedIn: false, reason: { code: 'INVALID_TOKEN' } });
  expect(client.signedIn).toBe(false);
}, 60_000);
