import { describe, expect, it } from 'vitest';
import { answersOf, openRaw, type RawAnswer, sendRaw } from '../support/raw.ts';
import { serve } from '../support/server.ts';

// a test that waits for a time-out is not answered at once
const server = await serve({ env: { REQUEST_TIMEOUT_SECONDS: '600', HEADERS_TIMEOUT_SECONDS: '600' } });

const raw = async (bytes: string | Uint8Array) => answersOf(await sendRaw(server.url, bytes));
const later = 'GET /healthz?later HTTP/1.1\r\nhost: x\r\n\r\n';
const served = (path: string) => server.logLines.filter((line) => line.includes(`"path":"${path}"`)).length;

/** That there is one answer, which refuses in the words of the face. */
function expectRefusal(answers: RawAnswer[], target: string, status: number, code: string): void {
  expect(answers.map((each) => each.status)).toEqual([status]);
  const { headers, body } = answers[0] as RawAnswer;
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', connection: 'close' });
  const parsed = JSON.parse(body);
  if (target.startsWith('/graphql')) {
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(parsed).toEqual({
      errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code }) }],
    });
    expect(parsed.errors[0].extensions.request_id).toBe(headers['x-request-id']);
  } else {
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(parsed).toMatchObject({
      type: `http://events.test/errors/${code}`,
      status,
      code,
      request_id: headers['x-request-id'],
    });
  }
}

/** What reads a body and what does not, behind a check or not, on both faces. */
const targets: [string, string][] = [
  ['POST', '/auth/login'],
  ['POST', '/events/query'],
  ['GET', '/events'],
  ['GET', '/healthz'],
  ['DELETE', '/auth/sessions'],
  ['POST', '/nothing'],
  ['OPTIONS', '/events'],
  ['PUT', '/events'],
  ['DELETE', '/openapi.json'],
  ['POST', '/graphql'],
  ['GET', '/graphql?query=%7B__typename%7D'],
  ['PUT', '/graphql'],
];

/** What reads a body, by either API. */
const readers = ['/auth/login', '/graphql'];

const chunked = 'transfer-encoding: chunked\r\n\r\n';
const bodies: [string, string][] = [
  ['an unknown coding', 'transfer-encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['a coding besides chunked', 'transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['a coding after chunked', 'transfer-encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['chunked twice', 'transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['a bad chunk size', `${chunked}zz\r\n{}\r\n0\r\n\r\n`],
  ['a chunk size beyond all measure', `${chunked}ffffffffffffffffff\r\n{}\r\n0\r\n\r\n`],
  ['a negative chunk size', `${chunked}-2\r\n{}\r\n0\r\n\r\n`],
  ['a chunk longer than its size', `${chunked}2\r\n{}xx\r\n0\r\n\r\n`],
  ['lines of chunks that end with LF alone', `${chunked}2\n{}\n0\n\n`],
  ['a length and chunks', 'content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['chunks and a length', 'transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['two lengths', 'content-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
  ['one length twice', 'content-length: 2\r\ncontent-length: 2\r\n\r\n{}'],
  ['a list of lengths', 'content-length: 2, 2\r\n\r\n{}'],
  ['a length that is no number', 'content-length: x\r\n\r\n{}'],
  ['a negative length', 'content-length: -2\r\n\r\n{}'],
  ['a length beyond all measure', 'content-length: 99999999999999999999\r\n\r\n{}'],
  ['a folded header', 'a: b\r\n c\r\n\r\n'],
  ['NUL in a header', 'a: b\0c\r\n\r\n'],
  ['a space before the colon', 'content-length : 2\r\n\r\n{}'],
];

it.each(bodies)('a message that comes byte by byte with %s is refused once and closed', async (_, rest) => {
  const { socket, ended } = await openRaw(server.url);
  const bytes = `POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${rest}`;
  socket.setNoDelay();
  for (const byte of bytes) {
    if (socket.writable) socket.write(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expectRefusal(answersOf(await ended), '/auth/login', 400, 'VALIDATION_ERROR');
});

describe.each(targets)('%s %s', (method, target) => {
  it.each(bodies)('with %s is refused once and closed, and nothing after it is served', async (_, rest) => {
    const before = served('/healthz');
    const own = target === '/healthz' ? 1 : 0;
    const answers = await raw(
      `${method} ${target} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${rest}${later}`,
    );
    expectRefusal(answers, target, 400, 'VALIDATION_ERROR');
    expect(served('/healthz') - before).toBeLessThanOrEqual(own);
  });

  it('with a body that ends too early is refused once and closed', async () => {
    const { socket, ended } = await openRaw(server.url);
    socket.end(`${method} ${target} HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{}`);
    expectRefusal(answersOf(await ended), target, 400, 'VALIDATION_ERROR');
  });

  it('with a bad chunk that comes late is refused once and closed', async () => {
    const { socket, ended, text } = await openRaw(server.url);
    socket.write(`${method} ${target} HTTP/1.1\r\nhost: x\r\n${chunked}2\r\n{}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(text()).toBe('');
    socket.write('zz\r\n');
    expectRefusal(answersOf(await ended), target, 400, 'VALIDATION_ERROR');
  });

  it.each([
    ['more', `${'a: b\r\n'.repeat(2000)}transfer-encoding: chunked\r\n\r\nzz\r\n`],
    ['larger', `a: ${'b'.repeat(70_000)}\r\n\r\n`],
  ])('with %s headers than we take is refused once and closed', async (_, rest) => {
    const answers = await raw(`${method} ${target} HTTP/1.1\r\nhost: x\r\n${rest}${later}`);
    expectRefusal(answers, target, 413, 'PAYLOAD_TOO_LARGE');
  });
});

const mebibyte = 'x'.repeat(1024 * 1024);
/**
 * Wherever the method is allowed or there is nothing: the method comes before the size
 * (reference/writes.md#order-of-checks).
 */
const sized = targets.filter(([method]) => method !== 'PUT');

describe.each(sized)('%s %s with a body above the limit', (method, target) => {
  const head = `${method} ${target} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;

  it.each([
    ['that says so', `content-length: ${mebibyte.length}\r\n\r\n${mebibyte}`],
    ['in chunks', `${chunked}${mebibyte.length.toString(16)}\r\n${mebibyte}\r\n0\r\n\r\n`],
  ])('%s is refused once, the answer is read, and nothing after it is served', async (_, rest) => {
    const before = server.logLines.length;
    const answers = await raw(`${head}${rest}${later}`);
    expectRefusal(answers, target, 413, 'PAYLOAD_TOO_LARGE');
    expect(server.logLines.slice(before).filter((line) => line.includes('"request"'))).toHaveLength(1);
  });

  it('is not asked for', async () => {
    const { socket, ended } = await openRaw(server.url);
    socket.write(`${head}expect: 100-continue\r\ncontent-length: ${mebibyte.length}\r\n\r\n`);
    expectRefusal(answersOf(await ended), target, 413, 'PAYLOAD_TOO_LARGE');
  });
});

it.each([...readers, '/nothing'])('a body without end to %s is refused, and its connection cut off', async (target) => {
  const { socket, ended } = await openRaw(server.url);
  // a client that goes on whatever it is told
  socket.allowHalfOpen = true;
  socket.write(`POST ${target} HTTP/1.1\r\nhost: x\r\n${chunked}`);
  const sending = setInterval(() => socket.write(`8000\r\n${'x'.repeat(0x8000)}\r\n`), 1);
  const text = await ended.finally(() => clearInterval(sending));
  expectRefusal(answersOf(text), target, 413, 'PAYLOAD_TOO_LARGE');
});

describe('a request that follows another', () => {
  const post = (target: string, rest: string) => `POST ${target} HTTP/1.1\r\nhost: x\r\n${rest}`;

  it('is refused after that is answered', async () => {
    for (const target of ['/auth/login', '/graphql']) {
      const [first, ...rest] = await raw(`${later}${post(target, `${chunked}zz\r\n`)}${later}`);
      expect(first?.status).toBe(200);
      expectRefusal(rest, target, 400, 'VALIDATION_ERROR');
    }
  });

  it('is not looked at if that ends the connection', async () => {
    const before = served('/auth/me');
    const me = 'GET /auth/me HTTP/1.1\r\nhost: x\r\n\r\n';
    const closing = 'GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    expect((await raw(`${closing}${me}`)).map(({ status }) => status)).toEqual([200]);
    expect((await raw(`${post('/nothing', 'content-length: 200000\r\n\r\n')}${mebibyte}${me}`)).length).toBe(1);
    expect(served('/auth/me')).toBe(before);
  });

  it('is refused if too many wait before it, and so is all after it', async () => {
    const before = server.logLines.length;
    const answers = await raw('GET /.well-known/jwks.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1000));
    expect(answers.map(({ status }) => status)).toEqual([...Array(32).fill(200), 429]);
    expectRefusal(answers.slice(-1), '/.well-known/jwks.json', 429, 'RATE_LIMITED');
    expect(answers.at(-1)?.headers['retry-after']).toBe('1');
    expect(server.logLines.slice(before).filter((line) => line.includes('/.well-known/jwks.json'))).toHaveLength(33);
  });
});

it.each(readers)('a client that waits to be told to go on is told, and then answered: %s', async (target) => {
  const { socket, text, ended } = await openRaw(server.url);
  socket.write(`POST ${target} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n`);
  socket.write('content-type: application/json\r\nexpect: 100-continue\r\n\r\n');
  await expect.poll(text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{}');
  expect(answersOf(await ended).map(({ status }) => status)).toEqual([100, 400]);
});

describe('HTTP/1.0', () => {
  it('keeps a connection that asks for it, and no other', async () => {
    const request = 'GET /healthz HTTP/1.0\r\n\r\n';
    expect((await raw(request)).map(({ status }) => status)).toEqual([200]);
    const kept = request.replace('\r\n\r\n', '\r\nconnection: keep-alive\r\n\r\n');
    expect((await raw(`${kept}${kept}${request}`)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it.each(readers)('knows no chunks: %s', async (target) => {
    const answers = await raw(
      `POST ${target} HTTP/1.0\r\nconnection: keep-alive\r\n${chunked}2\r\n{}\r\n0\r\n\r\n${later}`,
    );
    expectRefusal(answers, target, 400, 'VALIDATION_ERROR');
  });
});

describe('what is no HTTP/1.1', () => {
  it.each<[string, string | Buffer]>([
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/2 by its name', 'GET / HTTP/2.0\r\nhost: x\r\n\r\n'],
    ['HTTP/1.2', 'GET / HTTP/1.2\r\nhost: x\r\n\r\n'],
    ['HTTP/0.9', 'GET /healthz\r\n\r\n'],
    ['a greeting of TLS', Buffer.from('16030100b8010000b40303aabbccdd', 'hex')],
    ['lines that end with LF alone', 'GET /healthz HTTP/1.1\nhost: x\n\n'],
    ['an unknown method', 'BREW /pot HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['half a head', 'GET /healthz HTTP/1.1\r\nhost: x'],
  ])('%s is refused and closed', async (_, bytes) => {
    const { socket, ended } = await openRaw(server.url);
    socket.end(bytes);
    expectRefusal(answersOf(await ended), '/', 400, 'VALIDATION_ERROR');
  });

  it('CONNECT is refused and closed, also after other requests', async () => {
    for (const before of ['', later]) {
      const answers = await raw(`${before}CONNECT example.org:443 HTTP/1.1\r\nhost: x\r\n\r\n${later}`);
      expectRefusal(answers.slice(before === '' ? 0 : 1), '/', 405, 'METHOD_NOT_ALLOWED');
      expect(answers.at(-1)?.headers.allow).toContain('GET');
    }
  });

  it('an upgrade is not made, and the request answered', async () => {
    for (const upgrade of ['websocket', 'h2c']) {
      const head = `POST /auth/login HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: ${upgrade}\r\n`;
      const [answer] = await raw(`${head}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`);
      expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('/email') });
    }
  });
});
