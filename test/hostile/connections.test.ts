import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { answersOf, openRaw, type RawConnection } from '../support/raw.ts';
import { serve, serveInTest, type TestServer } from '../support/server.ts';

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

const hurried = await serve({
  env: { HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '1', KEEP_ALIVE_SECONDS: '1' },
});

const messages = [
  'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n',
  'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
  'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'DELETE /auth/sessions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nt: x\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nhost: x\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\nabc',
  'GET / HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];
const parts = ['\r\n', '\n', '\r', '\0', ' ', ':', '0', 'f', '\xff', 'connection: close\r\n', 'HTTP/1.0'];
const lengths = ['transfer-encoding: chunked\r\n', 'content-length: 7\r\n', 'x'.repeat(200_000)];

/** Something put into a text, or some of it left out, at a place of it. */
const edit = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  drop: fc.nat(4),
  insert: fc.constantFrom('', '', ...parts, ...lengths, ...messages),
});
const sent = fc.record({
  messages: fc.array(fc.constantFrom(...messages), { minLength: 1, maxLength: 4 }),
  edits: fc.array(edit, { maxLength: 4 }),
  ending: fc.constantFrom('wait', 'wait', 'end', 'reset'),
});

it('whatever comes, a connection ends by itself, and all that is written on it are well-formed answers', async () => {
  const samples = fc.sample(sent, { numRuns: 300, seed: 12 });
  await Promise.all(
    samples.map(async ({ messages: chosen, edits, ending }) => {
      const text = edits.reduce((before, { place, drop, insert }) => {
        const at = Math.floor(place * before.length);
        return before.slice(0, at) + insert + before.slice(at + drop);
      }, chosen.join(''));
      const { socket, ended } = await openRaw(hurried.url);
      socket.write(Buffer.from(text, 'latin1'));
      if (ending === 'end') socket.end();
      if (ending === 'reset') socket.resetAndDestroy();
      for (const { status, body, headers } of answersOf(await ended)) {
        expect([100, 200, 204, 400, 401, 404, 405, 413, 415, 503]).toContain(status);
        if (status < 400) continue;
        const { code, errors } = JSON.parse(body);
        expect([code ?? errors[0].extensions.code, headers['x-request-id']]).toEqual([
          expect.stringMatching(/^[A-Z_]+$/),
          expect.stringMatching(/./),
        ]);
      }
    }),
  );
  expect(hurried.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  expect((await fetch(`${hurried.url}/healthz`)).status).toBe(200);
});

const patient = await serve();
const readiness = async () => {
  const answer = await fetch(`${patient.url}/readyz`);
  const { code, obstacles } = (await answer.json()) as { code?: string; obstacles?: string[] };
  return answer.ok ? [answer.status] : [answer.status, code, obstacles];
};

it('200 questions at once whether the service is ready ask the database a few times at most', async () => {
  const probes = vi.spyOn(patient.orm.connections.primary, 'query');
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const answer = await fetch(`${patient.url}/readyz`);
      return [answer.status, await answer.json()];
    }),
  );
  expect(answers).toEqual(answers.map(() => [200, { ready: true, database: 'reachable' }]));
  const statements = probes.mock.calls.filter(([asked]) =>
    (asked as unknown as { text: string }).text.includes('mikro_orm_migrations'),
  ).length;
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThan(20);
});

it('without a migration of this version it is 503 and says so', async () => {
  const { em } = patient.orm;
  const [last] = await em
    .fork()
    .execute('delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning *');
  // an answer is shared for a second
  await expect.poll(readiness).toEqual([503, 'SERVICE_UNAVAILABLE', ['migrations']]);
  await em
    .fork()
    .execute('insert into mikro_orm_migrations (name, executed_at) values (?, ?)', [last?.name, last?.executed_at]);
  await expect.poll(readiness).toEqual([200]);
});

it('while its event loop is late again and again it is 503 and says so', async () => {
  // a request is answered between two blocks
  const blocks = setInterval(() => {
    for (const end = performance.now() + 1_400; performance.now() < end; );
  }, 150);
  try {
    await expect.poll(readiness).toEqual([503, 'SERVICE_UNAVAILABLE', ['event_loop']]);
  } finally {
    clearInterval(blocks);
  }
  await expect.poll(readiness).toEqual([200]);
});
