import { expect, it, onTestFinished } from 'vitest';
import { answersOf, openRaw, type RawConnection } from '../support/raw.ts';
import { serveInTest, type TestServer } from '../support/server.ts';

const attacker = '127.0.0.2';
const bystander = '127.0.0.3';
const health = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

let server: TestServer;
async function start(env: Record<string, string>): Promise<void> {
  server = await serveInTest({ env: { HEADERS_TIMEOUT_SECONDS: '600', REQUEST_TIMEOUT_SECONDS: '600', ...env } });
}

async function open(count: number, localAddress: string): Promise<RawConnection[]> {
  const opened = await Promise.all(Array.from({ length: count }, () => openRaw(server.url, localAddress)));
  for (const { socket } of opened) onTestFinished(() => void socket.destroy());
  return opened;
}

/** What a new connection is answered, which asks at once. */
async function ask(localAddress: string, request = health): Promise<string> {
  const [connection] = (await open(1, localAddress)) as [RawConnection];
  connection.socket.write(request);
  return await connection.ended;
}

const statuses = (text: string) => answersOf(text).map(({ status }) => status);
const refusals = () => server.logLines.filter((line) => line.includes('connections refused'));

it('a network over its share is refused on both faces, and the others are not', async () => {
  await start({ MAX_CONNECTIONS_PER_NETWORK: '10' });
  const [first] = (await open(10, attacker)) as [RawConnection];

  const [rest] = answersOf(await ask(attacker));
  expect(rest).toMatchObject({ status: 503, headers: { 'retry-after': '5', connection: 'close' } });
  expect(rest?.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(JSON.parse(rest?.body ?? '')).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });

  const query = 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 24\r\n\r\n';
  const [relay] = answersOf(await ask(attacker, `${query}{"query":"{__typename}"}${health}`));
  expect(relay).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  expect(JSON.parse(relay?.body ?? '').errors[0].extensions).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retry_after: 5,
  });

  // one that asks nothing is told, too
  const [silent] = (await open(1, attacker)) as [RawConnection];
  expect(statuses(await silent.ended)).toEqual([503]);

  expect(statuses(await ask(bystander))).toEqual([200]);
  await expect.poll(refusals).not.toEqual([]);
  expect(JSON.parse(refusals()[0] as string)).toMatchObject({ level: 40, network: attacker });
  expect(refusals().join('')).not.toContain(bystander);

  first.socket.destroy();
  await first.ended;
  await expect.poll(async () => statuses(await ask(attacker))).toEqual([200]);
});

it('a network that opens connections without end leaves room to the others', async () => {
  await start({ MAX_CONNECTIONS: '200', MAX_CONNECTIONS_PER_NETWORK: '50' });
  let [flooding, opened] = [true, 0];
  const one = async () => {
    await open(1, attacker);
    opened += 1;
  };
  const flood = (async () => {
    while (flooding) await Promise.allSettled(Array.from({ length: 100 }, one));
  })();
  try {
    for (let round = 0; round < 30; round += 1) expect(statuses(await ask(bystander))).toEqual([200]);
  } finally {
    flooding = false;
    await flood;
  }
  expect(opened).toBeGreaterThan(2 * 200);
});

it('no more connections than are set are taken in all', async () => {
  await start({ MAX_CONNECTIONS: '20' });
  const [first] = (await open(10, attacker)) as [RawConnection];
  await open(10, bystander);
  expect(await ask('127.0.0.4')).toBe('');
  await expect.poll(refusals).toEqual([expect.stringContaining('"network":"all networks","connections":1')]);
  first.socket.destroy();
  await first.ended;
  await expect.poll(async () => await ask('127.0.0.4')).toContain('200 OK');
});

it('a proxy that is trusted has no share: it carries many clients', async () => {
  await start({ MAX_CONNECTIONS_PER_NETWORK: '10', TRUST_PROXY: 'loopback' });
  await open(20, attacker);
  expect(statuses(await ask(attacker))).toEqual([200]);
});
