import { Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sendRaw } from '../support/raw.ts';
import { serve } from '../support/server.ts';

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
