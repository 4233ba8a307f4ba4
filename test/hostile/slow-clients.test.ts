import { describe, expect, it } from 'vitest';
import { holding } from '../support/locks.ts';
import { answersOf, openRaw, type RawConnection } from '../support/raw.ts';
import { serve } from '../support/server.ts';

const env = { HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '2', KEEP_ALIVE_SECONDS: '1' };
const server = await serve({ env: { ...env, READ_TIMEOUT_SECONDS: '60', LOCK_TIMEOUT_SECONDS: '60' } });

const open = () => openRaw(server.url);

/** Sends bytes one by one, each long before any time-out, until the server ends the connection. */
async function drip({ socket, ended }: RawConnection, bytes: string): Promise<string> {
  const left = [...bytes];
  const dripping = setInterval(() => socket.writable && socket.write(left.shift() ?? bytes.slice(-1)), 100);
  return await ended.finally(() => clearInterval(dripping));
}

function expectTimeout(text: string, target: string): void {
  const [answer, ...others] = answersOf(text);
  expect(others).toEqual([]);
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1', connection: 'close' } });
  const body = JSON.parse(answer?.body ?? '');
  const code = target === '/graphql' ? body.errors[0].extensions.code : body.code;
  expect(code).toBe('SERVICE_UNAVAILABLE');
}

describe('a client that sends too slowly', () => {
  const half = (target: string) => `POST ${target} HTTP/1.1\r\nhost: x\r\ncontent-length: 99999\r\n\r\n{`;
  const chunks = (target: string) =>
    `POST ${target} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n`;

  it.each(['/auth/login', '/nothing', '/graphql'])('loses the connection amid a body: %s', async (target) => {
    const connections = await Promise.all([open(), open(), open(), open()]);
    const texts = Promise.all(connections.map(({ ended }) => ended));
    const [silent, silentChunks, dripping, drippingChunks] = connections as [
      RawConnection,
      RawConnection,
      RawConnection,
      RawConnection,
    ];
    silent.socket.write(half(target));
    silentChunks.socket.write(chunks(target));
    dripping.socket.write(half(target));
    drippingChunks.socket.write(chunks(target));
    drip(dripping, ' ');
    drip(drippingChunks, '1\r\nx\r\n'.repeat(100));
    for (const text of await texts) expectTimeout(text, target);
  });

  it('loses the connection in the midst of the headers, also of a second request', async () => {
    const [silent, dripping, second] = await Promise.all([open(), open(), open()]);
    const long = `GET /healthz HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(1000)}`;
    silent.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n');
    const first = drip(dripping, long);
    second.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(second.text).toMatch(/"alive":true.*}$/);
    const answered = second.text().length;
    const next = drip(second, long);
    expectTimeout(await silent.ended, '/');
    expectTimeout(await first, '/');
    expectTimeout((await next).slice(answered), '/');
  });

  it('loses the connection without an answer if it asked nothing', async () => {
    const [silent, answered] = await Promise.all([open(), open()]);
    answered.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await silent.ended).toBe('');
    expect(answersOf(await answered.ended).map(({ status }) => status)).toEqual([200]);
  });

  it('cannot keep an idle connection with empty lines', async () => {
    const connection = await open();
    connection.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(connection.text).toMatch(/"alive":true.*}$/);
    await drip(connection, '\r\n'.repeat(1000));
  });

  it('is served if it is only slow', async () => {
    const { socket, ended } = await open();
    const request =
      'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    for (const byte of request) {
      socket.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    expect(answersOf(await ended).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('is shown in the log, with the bound that it crossed', () => {
    const lines = server.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const late = lines.filter(({ fault }) => fault === 'The request took too long to arrive.');
    expect(late.length).toBeGreaterThanOrEqual(12 + 3);
    for (const line of late) expect(line).toMatchObject({ level: 40, ip: '127.0.0.1', status: 503 });
  });
});

it('a client that waits for its answer is left in peace, however long that takes', async () => {
  const em = await holding(server, 'lock table "user" in access exclusive mode');
  const { socket, ended } = await open();
  socket.write('POST /auth/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n');
  const body = JSON.stringify({ email: 'nobody@example.org', password: 'long enough for one' });
  socket.write(`content-length: ${body.length}\r\n\r\n${body}`);
  // as long as three connections that ask nothing last, one after the other
  for (let index = 0; index < 3; index += 1) await (await open()).ended;
  expect(socket.closed).toBe(false);
  await em.rollback();
  expect(answersOf(await ended)).toMatchObject([{ status: 400, body: expect.stringContaining('INVALID_CREDENTIALS') }]);
});

it('a client that does not read its answers loses the connection', async () => {
  const { socket, ended } = await open();
  socket.pause();
  // more than the buffers of both ends take
  const asking = setInterval(() => socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(30)), 10);
  await new Promise((resolve) => socket.once('error', resolve));
  clearInterval(asking);
  socket.destroy();
  await ended;
});
