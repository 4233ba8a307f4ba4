import { expect, it, onTestFinished } from 'vitest';
import { GraphqlStreams, type StreamResult } from '../../packages/client/src/graphql-stream.ts';
import { type ApiError, createClient } from '../../packages/client/src/index.ts';
import { password } from '../support/fixtures.ts';
import { send } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';

const { server, team } = await serveTeam();

const query = `subscription Changes($after: String) {
  changes(after: $after) {
    cursor
    change { kind op objectGlobalId event { id name } subscription { id } }
  }
}`;

const dates = { date_start: '2031-05-04T10:00:00Z', date_end: '2031-05-04T12:00:00Z' };
const createEvent = (name: string) => send(server, team.owner, 'POST /events', { name, ...dates });

/** A subscription of a client whose requests the test sees and changes. */
async function follow(intervene: (request: Request, isStream: boolean) => Promise<Response>) {
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

const problem = (status: number, code: string) =>
  Response.json({ code, title: 'No.', status, errors: undefined }, { status, headers: { 'retry-after': '10' } });

it('continues from the last cursor over streams that break', async () => {
  const cuts: AbortController[] = [];
  const { names } = await follow(async (request, isStream) => {
    const cut = new AbortController();
    if (isStream) cuts.push(cut);
    return await fetch(request, { signal: AbortSignal.any([request.signal, cut.signal]) });
  });
  await expect.poll(() => cuts.length).toBe(1);
  await createEvent('Before the cut');
  await expect.poll(() => names).toEqual(['Before the cut']);
  cuts[0]?.abort();
  await createEvent('After the cut');
  await expect.poll(() => names).toEqual(['Before the cut', 'After the cut']);
  expect(cuts).toHaveLength(2);
});

it.each([
  [429, 'RATE_LIMITED'],
  [503, 'SERVICE_UNAVAILABLE'],
])('polls the same selection where a stream gets %i', async (status, code) => {
  let refused = 0;
  const { names, results, ended } = await follow(async (request, isStream) => {
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

it('signs in again once where a stream gets 401, and then ends with the reason', async () => {
  const paths: string[] = [];
  const { ended, client } = await follow(async (request, isStream) => {
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

it('ends when the organization is switched, and with a cursor that is not good', async () => {
  const { ended, client } = await follow((request) => fetch(request));
  client.switchOrganization(undefined);
  await expect.poll(() => ended.map(({ code }) => code)).toEqual(['CANCELLED']);
  client.switchOrganization(team.organizationId);
  const reasons: ApiError[] = [];
  const sink = { next: () => undefined, error: (reason: ApiError) => void reasons.push(reason) };
  onTestFinished(new GraphqlStreams(client).subscribe({ query, variables: { after: 'nonsense' } }, sink));
  await expect.poll(() => reasons.map(({ code }) => code)).toEqual(['INVALID_CURSOR']);
});
