import { expect, it, onTestFinished } from 'vitest';
import { GraphqlStreams, type StreamResult } from '../../packages/client/src/graphql-stream.ts';
import { type ApiError, type ChangesOptions, createClient, type Told } from '../../packages/client/src/index.ts';
import { password } from '../support/fixtures.ts';
import { send } from '../support/send.ts';
import { createKey, serveTeam } from '../support/server.ts';

const { server, team } = await serveTeam();
const { secret: apiKey } = await createKey(server, team.owner);

const dates = { date_start: '2031-05-04T10:00:00Z', date_end: '2031-05-04T12:00:00Z' };
const createEvent = async (name: string) => {
  const made = await send<{ id: string }>(server, team.owner, 'POST /events', { name, ...dates });
  return made.body.id;
};

/** Follows the log with this `fetch`, until the test is over. */
function follow(fetchLike: typeof fetch, options: ChangesOptions = {}) {
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const client = createClient({ url: server.url, apiKey, fetch: fetchLike });
  const caughtUp: string[] = [];
  const changes = client.changes({ signal: end.signal, onCaughtUp: (cursor) => caughtUp.push(cursor), ...options });
  const next = async (): Promise<Told> => {
    const { value } = await changes.next();
    if (!value) throw new Error('The log ended.');
    return value;
  };
  return { next, caughtUp, changes, stop: () => end.abort() };
}

it('the log tells each change once with a cursor, over connections that break', async () => {
  const streams: AbortController[] = [];
  const { next, caughtUp, changes, stop } = follow(
    async (input, init) => {
      const request = new Request(input, init);
      const cut = new AbortController();
      streams.push(cut);
      return await fetch(request, { signal: AbortSignal.any([request.signal, cut.signal]) });
    },
    { since: 'now' },
  );
  const first = next();
  await expect.poll(() => caughtUp.length).toBeGreaterThan(0);
  const soap = await createEvent('Soap');
  expect((await first).change).toMatchObject({ kind: 'event', op: 'created', object_id: soap });
  streams[0]?.abort();
  const bread = await createEvent('Bread');
  const told = await next();
  expect(told.change.object_id).toBe(bread);
  expect(streams.length).toBe(2);
  stop();
  expect(await changes.next()).toEqual({ done: true, value: undefined });
  // a client that starts again goes on from what was saved
  const wool = await createEvent('Wool');
  const later = follow(fetch, { token: told.cursor });
  expect((await later.next()).change.object_id).toBe(wool);
});

it('the log keeps to streams that come through, however often one loses its connection', async () => {
  const asked: (string | null)[] = [];
  const watched: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    asked.push(request.headers.get('accept'));
    return await fetch(request);
  };
  // the service says where the log ends, and then nothing for 15 seconds
  const { next } = follow(watched, { since: 'now', silence: 200 });
  const first = next();
  await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(5);
  expect(asked).toEqual(Array.from({ length: 5 }, () => 'text/event-stream'));
  const hemp = await createEvent('Hemp');
  expect((await first).change.object_id).toBe(hemp);
});

const problem = (status: number, code: string) =>
  Response.json({ code, title: 'No.', status }, { status, headers: { 'retry-after': '10' } });

it.each<[string, () => Response, number]>([
  ['gets 429', () => problem(429, 'RATE_LIMITED'), 1],
  ['gets 503', () => problem(503, 'SERVICE_UNAVAILABLE'), 1],
  // as by a proxy that keeps what is sent until it ends
  ['is held back', () => new Response(new ReadableStream({}), { headers: { 'content-type': 'text/event-stream' } }), 2],
])('the log is polled where a stream %s', async (what, answer, streams) => {
  const asked: Request[] = [];
  const { next, caughtUp } = follow(
    async (input, init) => {
      const request = new Request(input, init);
      asked.push(request);
      return request.headers.get('accept') === 'text/event-stream' ? answer() : await fetch(request);
    },
    { since: 'now', silence: 200 },
  );
  const first = next();
  await expect.poll(() => caughtUp.length, { timeout: 5_000 }).toBe(1);
  const cork = await createEvent(`Cork ${what}`);
  expect((await first).change).toMatchObject({ op: 'created', object_id: cork });
  const ofStreams = asked.filter(({ headers }) => headers.get('accept') === 'text/event-stream');
  expect([ofStreams.length, asked.some(({ url }) => url.includes('wait=25'))]).toEqual([streams, true]);
});

it('the log has the objects of changes, if asked', async () => {
  const client = createClient({ url: server.url, apiKey });
  const { next: token } = await client.get('/changes', { params: { query: { since: 'now' } } });
  const jute = await createEvent('Jute');
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const { value } = await client.changes({ token, include: ['object'], signal: end.signal }).next();
  expect(value?.change).toMatchObject({ kind: 'event', object_id: jute, object: { id: jute, name: 'Jute' } });
});

it('the log throws what does not pass: a cursor that is no longer good', async () => {
  const { next } = follow(fetch, { token: 'nonsense' });
  await expect(next()).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
});

const query = `subscription Changes($after: String) {
  changes(after: $after) {
    cursor
    change { kind op objectGlobalId event { id name } subscription { id } }
  }
}`;

/** A subscription of a client whose requests the test sees and changes. */
async function subscribe(intervene: (request: Request, isStream: boolean) => Promise<Response>) {
  const client = createClient({
    url: server.url,
    organization: team.organizationId,
    fetch: (input, init) => {
      const request = new Request(input, init);
      return intervene(request, request.headers.get('accept') === 'text/event-stream');
    },
  });
  await client.signIn({ email: team.owner.email, password });
  const names: (string | undefined)[] = [];
  const results: StreamResult[] = [];
  const ended: ApiError[] = [];
  const stop = new GraphqlStreams(client).subscribe(
    { query, variables: {} },
    {
      next(result) {
        results.push(result);
        const payload = result.data?.changes as { change: { event: { name: string } | null } | null } | undefined;
        if (payload?.change) names.push(payload.change.event?.name);
      },
      error: (reason) => ended.push(reason),
    },
  );
  onTestFinished(stop);
  return { client, names, results, ended };
}

it('a subscription continues from the last cursor over streams that break, and over one that ends', async () => {
  const cuts: AbortController[] = [];
  const { names } = await subscribe(async (request, isStream) => {
    const cut = new AbortController();
    if (isStream) cuts.push(cut);
    // as after 15 minutes, or when a process of the service stops
    if (isStream && cuts.length === 3)
      return new Response('event: complete\ndata:\n\n', { headers: { 'content-type': 'text/event-stream' } });
    return await fetch(request, { signal: AbortSignal.any([request.signal, cut.signal]) });
  });
  await expect.poll(() => cuts.length).toBe(1);
  await createEvent('Before the cut');
  await expect.poll(() => names).toEqual(['Before the cut']);
  cuts[0]?.abort();
  await createEvent('After the cut');
  await expect.poll(() => names).toEqual(['Before the cut', 'After the cut']);
  expect(cuts).toHaveLength(2);
  cuts[1]?.abort();
  await createEvent('After the end');
  await expect.poll(() => names).toEqual(['Before the cut', 'After the cut', 'After the end']);
  expect(cuts).toHaveLength(4);
});

it.each([
  [429, 'RATE_LIMITED'],
  [503, 'SERVICE_UNAVAILABLE'],
])('a subscription polls the same selection where a stream gets %i', async (status, code) => {
  let refused = 0;
  const { names, results, ended } = await subscribe(async (request, isStream) => {
    if (!isStream) return await fetch(request);
    refused += 1;
    return problem(status, code);
  });
  await expect.poll(() => refused).toBe(1);
  await createEvent(`Polled ${status}`);
  await expect.poll(() => names, { timeout: 20_000 }).toEqual([`Polled ${status}`]);
  expect(results[0]?.data).toEqual({
    changes: {
      __typename: 'ChangePayload',
      cursor: expect.any(String),
      change: {
        kind: 'EVENT',
        op: 'CREATED',
        objectGlobalId: expect.any(String),
        event: { id: expect.any(String), name: `Polled ${status}` },
        subscription: null,
      },
    },
  });
  expect([refused, ended]).toEqual([1, []]);
});

it('a subscription signs in again once where a stream gets 401, and then ends with the reason', async () => {
  const paths: string[] = [];
  const { ended, client } = await subscribe(async (request, isStream) => {
    const { pathname } = new URL(request.url);
    if (isStream || pathname === '/auth/refresh') paths.push(pathname);
    if (isStream) return problem(401, 'INVALID_TOKEN');
    return pathname === '/auth/refresh' ? problem(401, 'INVALID_TOKEN') : await fetch(request);
  });
  await expect.poll(() => ended.length).toBe(1);
  expect(ended[0]).toMatchObject({ code: 'INVALID_TOKEN', status: 401, operation: 'Changes' });
  expect(paths).toEqual(['/graphql', '/auth/refresh']);
  expect(client.signedIn).toBe(false);
});

it('a subscription ends when the organization is switched, and with a cursor that is not good', async () => {
  const { ended, client } = await subscribe((request) => fetch(request));
  client.switchOrganization(undefined);
  await expect.poll(() => ended.map(({ code }) => code)).toEqual(['CANCELLED']);
  client.switchOrganization(team.organizationId);
  const reasons: ApiError[] = [];
  const sink = { next: () => undefined, error: (reason: ApiError) => void reasons.push(reason) };
  onTestFinished(new GraphqlStreams(client).subscribe({ query, variables: { after: 'nonsense' } }, sink));
  await expect.poll(() => reasons.map(({ code }) => code)).toEqual(['INVALID_CURSOR']);
});
