import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CompiledOperations } from '../../src/schema/compiled.ts';
import { Documents } from '../../src/schema/document.ts';
import { createWorld, graphql } from '../support/graphql.ts';
import { rawRequest } from '../support/http.ts';
import { type LanesProxy, startLanesProxy } from '../support/lanes-proxy.ts';
import { sentOnce } from '../support/sent-once.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// Of what compares the lanes: that it sees them all, and what differs.

interface Asked {
  method: string;
  path: string;
  headers: string[];
  body: string;
}
interface Answered {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A service that answers as it is told; what it was asked is in `asked`. */
let fake: Server;
let asked: Asked[];
let answerTo: (count: number) => Partial<Answered>;
let proxy: LanesProxy;
beforeEach(async () => {
  asked = [];
  answerTo = () => ({});
  fake = createServer(async (incoming, response) => {
    const { method = '', url: path = '', rawHeaders: headers } = incoming;
    asked.push({ method, path, headers, body: (await buffer(incoming)).toString() });
    const id = `id-${asked.length}`;
    const { status = 200, headers: others = {}, body = '' } = answerTo(asked.length);
    response.writeHead(status, { 'x-request-id': id, date: `day ${asked.length}`, ...others });
    response.end(`{"data":{"x":"${id}"}}${body}`);
  });
  await new Promise<void>((resolve) => fake.listen(0, 'localhost', resolve));
  proxy = await startLanesProxy(`http://localhost:${(fake.address() as AddressInfo).port}`);
});
afterEach(() => void fake.close());

const json = ['content-type', 'application/json'];
const signedIn = [...json, 'authorization', 'Bearer x'];
const query = JSON.stringify({ query: '{ viewer { id } }' });
const ask = (body: string | null = query, { method = 'POST', path = '/graphql', headers = signedIn } = {}) =>
  rawRequest(`${proxy.url}${path}`, { method, headers, ...(body === null ? {} : { body }) });

describe('a query', () => {
  it('is asked for in seven ways, and answered where their answers are alike but for time and id', async () => {
    expect((await ask()).text).toBe('{"data":{"x":"id-1"}}');
    expect(asked.map(({ method }) => method)).toEqual([...Array(6).fill('POST'), 'GET']);
    const texts = asked.slice(0, 6).map(({ body }) => JSON.parse(body).query);
    expect(texts[0]).toMatch(/^\{ viewer \{ id \} \}\n# lane \d+$/);
    expect(texts).toEqual([...Array(5).fill(texts[0]), undefined]);
    expect(new URL(asked[6]?.path as string, proxy.url).searchParams.get('query')).toBe(texts[0]);
    await proxy.close();
  });

  it.each([2, 3, 4, 5, 6, 7])('whose answer %i is another one is refused with the difference', async (odd) => {
    const differences: [string, Partial<Answered>][] = [
      ['status', { status: 201 }],
      ['headers', { headers: { vary: 'accept' } }],
      ['body', { body: ' ' }],
    ];
    for (const [part, difference] of differences) {
      asked = [];
      answerTo = (count) => (count === odd ? difference : {});
      const { status, text } = await ask();
      expect({ status, text }).toMatchObject({ status: 599, text: expect.stringContaining(`another ${part}`) });
    }
    await expect(proxy.close()).rejects.toThrow(/^Lanes differ/);
  });

  it('is sent once where a test counts, and compared after it', async () => {
    await sentOnce(async () => {
      await ask();
      expect(asked).toHaveLength(1);
    });
    expect(asked).toHaveLength(7);
    answerTo = (count) => ({ body: count === 9 ? ' ' : '' });
    await expect(sentOnce(() => ask())).rejects.toThrow('past Yoga: another body');
    await expect(proxy.close()).rejects.toThrow(/^Lanes differ/);
  });
});

describe('what is sent once, as it is', () => {
  it.each([
    ['a mutation', JSON.stringify({ query: 'mutation { x }' }), {}],
    ['a subscription', JSON.stringify({ query: 'subscription { x }' }), {}],
    ['the mutation of several operations', '{"query":"query A { x } mutation B { x }","operationName":"B"}', {}],
    ['a batch', `[${query}]`, {}],
    ['no JSON', '{', {}],
    ['an unknown parameter', '{"query":"{ x }","a":1}', {}],
    ['a document by its id', '{"documentId":"x"}', {}],
    ['a body that is too large', query.replace('"{', `"${' '.repeat(100 * 1024)}{`), {}],
    ['another media type', query, { headers: ['content-type', 'text/plain'] }],
    ['another charset', query, { headers: ['content-type', 'application/json; charset=latin1'] }],
    ['a compressed body', query, { headers: [...json, 'content-encoding', 'gzip'] }],
    ['doubled headers', '{}', { headers: [...signedIn, ...signedIn, 'X-Odd', 'x'] }],
    ['another path', query, { path: '/events/query?x=1' }],
    ['a GET', null, { method: 'GET', path: '/graphql?query=%7Bx%7D', headers: ['Accept', 'a', 'accept', 'b'] }],
  ])('%s', async (_title, body, options: { method?: string; path?: string; headers?: string[] }) => {
    const { method = 'POST', path = '/graphql', headers = signedIn } = options;
    answerTo = () => ({ status: 418, headers: { 'X-Odd': 'yes' } });
    const answer = await ask(body, options);
    expect(answer).toMatchObject({ status: 418, text: '{"data":{"x":"id-1"}}', headers: { 'x-odd': 'yes' } });
    expect(asked).toMatchObject([{ method, path, body: body ?? '' }]);
    expect(asked[0]?.headers.slice(2, 2 + headers.length)).toEqual(headers);
    await proxy.close();
  });
});

describe('the lanes of the service', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('are those that their names say', async () => {
    const { manager } = await createWorld(server);
    const known = vi.spyOn(Documents.prototype, 'isValid');
    const compiled = vi.spyOn(CompiledOperations.prototype, 'run');
    const real = await startLanesProxy(server.directUrl);
    const answer = await graphql(real, manager, '{ viewer { name } }');
    expect(answer.data).toEqual({ viewer: { name: 'Mia Manager' } });
    expect(known.mock.results.map(({ value }) => value)).toEqual([false, true, true, true, true, true, true]);
    const results = compiled.mock.settledResults.map(({ value }) => value);
    // the first run is Yoga's
    expect(results).toEqual(['not compiled', ...Array(5).fill({ data: JSON.stringify(answer.data) })]);
    vi.restoreAllMocks();
    await real.close();
  });

  it('are compared where the environment says so', () => {
    expect(server.url !== server.directUrl).toBe(process.env.GRAPHQL_LANES === 'compare');
  });
});
