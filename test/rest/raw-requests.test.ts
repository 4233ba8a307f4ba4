import { Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { insertUser } from '../support/fixtures.ts';
import { mailsTo } from '../support/guests.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { post, serve, serveInTest, type TestServer } from '../support/server.ts';

const server = await serve();

const raw = (text: string) => sendRaw(server.url, text);

describe('an unusual request', () => {
  it('is answered if it has an unknown expectation', async () => {
    const answer = await raw('GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: 200-maybe\r\nconnection: close\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 200 ');
  });

  it('is refused if its URL is beyond all measure', async () => {
    const answer = await raw(`GET /events?where=${'x'.repeat(70_000)} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(answer).toContain('HTTP/1.1 413 ');
    expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"');
  });
});

describe('a target', () => {
  it.each(['x://y', 'http://a[b]/events', '//'])('%s, which Express cannot read, is not found', async (target) => {
    const answer = await raw(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(answer).toContain('HTTP/1.1 404 ');
    expect(answer.toLowerCase()).toContain('x-request-id: ');
    expect(answer).toContain('"code":"NOT_FOUND"');
    expect(answer).not.toContain('<');
  });

  it('in the form of a proxy is taken by both faces', async () => {
    const host = new URL(server.url).host;
    const health = await raw(`GET http://${host}/healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    expect(health).toContain('HTTP/1.1 200 ');
    const profile = await raw(`GET http://${host}/auth/me HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    expect(profile.toLowerCase()).toContain('cache-control: no-store');
    expect(await rawQuery(`http://${host}/graphql`, `host: ${host}\r\n`)).toContain('"data":{"__typename":"Query"}');
  });

  it('with a fragment is that without it', async () => {
    expect(await rawQuery('/graphql#/health', 'host: x\r\n')).toContain('"data":{"__typename":"Query"}');
  });
});

describe('a Host', () => {
  it.each(['[', 'a b', 'a:99999999', '[::1', 'h/x?', 'a@b', 'a\r\nhost: b'])(
    '%j is refused by both faces',
    async (host) => {
      // the connection ends, as after any other malformed message
      const problem = await raw(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      expect(problem).toContain('HTTP/1.1 400 ');
      expect(problem.toLowerCase()).toContain('connection: close');
      expect(problem).toContain('"code":"VALIDATION_ERROR"');
      expectGraphqlRefusal(await rawQuery('/graphql', `host: ${host}\r\n`));
    },
  );

  it('is missed by both faces', async () => {
    const problem = await raw('GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(problem).toContain('HTTP/1.1 400 ');
    expect(problem).toContain('"code":"VALIDATION_ERROR"');
    expectGraphqlRefusal(await rawQuery('/graphql', ''));
  });

  it.each(['a', 'a:1', '127.0.0.1:80', '[::1]', '[::1]:3000', 'a_b.example', '', 'a:'])('%j is taken', async (host) => {
    expect(await rawQuery('/graphql', `host: ${host}\r\n`)).toContain('"data":{"__typename":"Query"}');
  });
});

/** A document that was never seen before, so that no lane of its own is open to it. */
function rawQuery(target: string, hostLine: string): Promise<string> {
  const body = JSON.stringify({ query: `{ __typename } # ${crypto.randomUUID()}` });
  const head = `POST ${target} HTTP/1.1\r\n${hostLine}content-type: application/json\r\ncontent-length: ${body.length}`;
  return raw(`${head}\r\nconnection: close\r\n\r\n${body}`);
}

function expectGraphqlRefusal(answer: string): void {
  expect(answer).toContain('HTTP/1.1 400 ');
  expect(answer.toLowerCase()).toContain('content-type: application/json');
  expect(answer).toMatch(/"errors":\[\{"message":"The header Host [^"]*","extensions":\{"code":"VALIDATION_ERROR"/);
  expect(answer).not.toContain('node_modules');
}

/** The server of this process that listens where the service does. */
function listener(): Server {
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
  const isOurs = (handle: unknown): handle is Server => {
    if (!(handle instanceof Server)) return false;
    const address = handle.address();
    return typeof address === 'object' && String(address?.port) === new URL(server.url).port;
  };
  return handles.find(isOurs) as Server;
}

// Node.js emits what `accept` refuses, for example for lack of memory; without a listener that ends the process
it('connections that could not be accepted are logged, and the next one is served', async () => {
  const error = Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS' });
  for (const emitter of [listener(), listener()]) emitter.emit('error', error);
  const failures = server.logLines.filter((line) => line.includes('a connection could not be accepted'));
  expect(failures).toHaveLength(2);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

const paths = await pathsOf(server);

/** The mailbox and one of its mails. */
async function pathsOf(running: TestServer): Promise<string[]> {
  const { email } = await insertUser(running.orm);
  await post(`${running.url}/auth/reset-password-request`, { email });
  const [mail] = await mailsTo(running, email);
  return ['/dev/mailbox', `/dev/mailbox/${mail?.name}`, `/dev/mailbox/${mail?.name}/html`];
}

/** Expects that a path answers just as one that was never there, whatever the method. */
async function expectAbsent(url: string, path: string, headers: string[] = []): Promise<void> {
  for (const method of ['GET', 'POST']) {
    const [answer, other] = await Promise.all(
      [path, '/nowhere'].map((each) => rawRequest(`${url}${each}`, { method, headers })),
    );
    const known = ({ text }: { text: string }) => ({ ...JSON.parse(text), request_id: '' });
    expect([method, answer?.status]).toEqual([method, 404]);
    expect(known(answer as { text: string })).toEqual(known(other as { text: string }));
  }
}

describe('/dev/mailbox', () => {
  it.each(['127.0.0.1', '127.0.0.1:3000', 'localhost:3000', 'LocalHost', '[::1]:3000'])(
    'is shown to a request of this machine for %s',
    async (host) => {
      for (const path of paths) {
        const answer = await rawRequest(`${server.url}${path}`, { headers: ['host', host] });
        expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 200, 'no-store']);
      }
    },
  );

  it.each([
    'events.test',
    'attacker.example',
    '127.0.0.1.attacker.example:3000',
    'localhost.attacker.example',
    'attacker.localhost',
    '10.0.0.1:3000',
    '0.0.0.0:3000',
    '[::]',
    '127.0.0.1:3000:80',
    '2130706433',
  ])('is not there for the name %s, which a page of another site may have pointed here', async (host) => {
    for (const path of paths) {
      const answer = await rawRequest(`${server.url}${path}`, { headers: ['host', host] });
      expect([path, answer.status]).not.toEqual([path, 200]);
      expect(answer.text).not.toMatch(/token=|mailbox/);
    }
  });

  it('is not there for a request without a name', async () => {
    for (const path of paths)
      expect(await sendRaw(server.url, `GET ${path} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    ['x-forwarded-for', '203.0.113.9'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-host', 'localhost'],
    ['x-forwarded-proto', 'https'],
    ['x-real-ip', '203.0.113.9'],
    ['forwarded', 'for=203.0.113.9'],
    ['via', '1.1 proxy'],
  ])('is not there for what a proxy passes on with %s: %s', async (name, value) => {
    for (const path of paths) await expectAbsent(server.url, path, [name, value]);
  });

  it('refuses another method to this machine', async () => {
    for (const path of paths) {
      const answer = await rawRequest(`${server.url}${path}`, { method: 'POST' });
      expect([path, answer.status, answer.headers.allow]).toEqual([path, 405, 'GET, HEAD']);
    }
  });
});

it('/dev/mailbox does not exist if other machines can connect', async () => {
  const running = await serveInTest({ env: { HOST: '0.0.0.0' } });
  const { port } = new URL(running.url);
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family }) => family === 'IPv4');
  for (const path of await pathsOf(running)) {
    for (const { address } of own) await expectAbsent(`http://${address}:${port}`, path, ['host', 'localhost']);
  }
});

it('/dev/mailbox does not exist with an https PUBLIC_URL, for any NODE_ENV', async () => {
  const running = await serveInTest({ env: { PUBLIC_URL: 'https://localhost:3000' } });
  for (const path of await pathsOf(running)) await expectAbsent(running.url, path, ['host', 'localhost:3000']);
});
