import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertMember, insertOrganization, insertUser, password } from '../support/fixtures.ts';
import { openRaw } from '../support/raw.ts';
import { type Caller, graphql, send } from '../support/send.ts';
import { createTeam, post, serve, serveInTest, signIn } from '../support/server.ts';

const sockets = 100;
const pipelined = 8;

const narrow = await serve({ env: { RATE_LIMIT: 'on', DATABASE_POOL_SIZE: '3' } });
const server = await serve({ fullHashCost: true, env: { RATE_LIMIT: 'on', TRUST_PROXY: 'on' } });

function loginBytes(): string {
  const body = JSON.stringify({ email: `nobody-${randomUUIDv7()}@example.org`, password: 'not the password' });
  const head = ['POST /auth/login HTTP/1.1', 'host: localhost', 'content-type: application/json'];
  return [...head, `content-length: ${body.length}`, '', body].join('\r\n');
}

/** Signs in to unknown addresses, several messages at once on each of many connections, over and over. */
async function floodOfNobody() {
  const connections = await Promise.all(Array.from({ length: sockets }, () => openRaw(narrow.url)));
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  for (const { socket, text } of connections) {
    let sent = 0;
    const send = () => {
      sent += pipelined;
      socket.write(Array.from({ length: pipelined }, loginBytes).join(''));
    };
    socket.on('data', () => {
      if (count(text(), /^HTTP\/1\.1 /gm) >= sent) send();
    });
    send();
  }
  return {
    answers: (pattern: RegExp) => connections.reduce((sum, { text }) => sum + count(text(), pattern), 0),
    async end(): Promise<void> {
      for (const { socket } of connections) socket.destroy();
      await Promise.all(connections.map(({ ended }) => ended));
    },
  };
}

it('800 sign-ins at once of nobody refuse no request of those who are signed in, even from the same network', async () => {
  const { id: organizationId } = await insertOrganization(narrow.orm);
  const callers: Caller[] = [];
  for (let index = 0; index < 16; index += 1) {
    const { email } = await insertMember(narrow.orm, { organizationId, role: 'owner' });
    callers.push({ accessToken: (await signIn(narrow.url, email)).accessToken, organizationId });
  }
  const running = await floodOfNobody();
  try {
    // the limit of sign-ins asks for minutes: one second is what those are asked for who are too many to wait for a connection
    const refused = () => running.answers(/^retry-after: 1\r$/gim);
    await expect.poll(refused, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    const before = refused();
    // nothing is known yet of these sessions, so that each costs a statement before the list does
    const answers = await Promise.all(
      callers.map(async (caller, index) => {
        if (index % 2 === 0) return (await send(narrow, caller, 'GET /events')).status;
        const answer = await graphql(narrow, caller, '{ events(first: 1) { nodes { name } } }');
        return answer.errors ?? answer.status;
      }),
    );
    expect(answers).toEqual(callers.map(() => 200));
    expect(refused()).toBeGreaterThan(before);
  } finally {
    await running.end();
  }
}, 120_000);

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const login = (ip: string, email: string) => post(`${server.url}/auth/login`, { email, password }, from(ip));
const signUp = (ip: string) => {
  const body = { email: `new-${randomUUIDv7()}@example.org`, password, name: 'A', organization_name: 'B' };
  return post(`${server.url}/auth/signup`, body, from(ip));
};

/** What a flood gets: some are let in, and the others are told to wait, by the queue of the passwords or that of the database. */
const expectOnlyWaits = (statuses: number[]) =>
  expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);

/** Sends many requests at once, and counts their answers while they come in. */
function flood(count: number, send: (index: number) => Promise<{ status: number; headers: Headers }>) {
  const statuses: number[] = [];
  const answers = Array.from({ length: count }, async (_each, index) => {
    const response = await send(index);
    statuses.push(response.status);
    if (response.status !== 200) expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });
  return {
    /** How many were let in so far. */
    served: () => statuses.filter((status) => status === 200).length,
    async end() {
      await Promise.all(answers);
      return statuses;
    },
  };
}

/** Signs in one after the other beside a flood, each of whom waits for a few of it: in its line it would be a hundred. */
async function expectTurns(running: ReturnType<typeof flood>, ...signIns: [ip: string, email: string][]) {
  // the flood's requests have been read by the service, and the first of them were served
  await expect.poll(running.served, { interval: 5 }).toBeGreaterThan(5);
  for (const [ip, email] of signIns) {
    const before = running.served();
    expect((await login(ip, email)).status).toBe(200);
    expect(running.served() - before).toBeLessThan(60);
  }
  const statuses = await running.end();
  expectOnlyWaits(statuses);
  return statuses;
}

describe('POST /auth/login', { timeout: 120_000 }, () => {
  it('lets others in beside 260 valid sign-ins of one account at once, from its own network as well', async () => {
    const emails = await Promise.all([1, 2, 3].map(async () => (await insertUser(server.orm)).email));
    const [attacker, neighbour, stranger] = emails as [string, string, string];
    const running = flood(260, () => login('198.51.100.1', attacker));
    const statuses = await expectTurns(running, ['198.51.100.1', neighbour], ['198.51.100.2', stranger]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(100);
  });

  it('lets others in beside 200 sign-ins of as many accounts of one network', async () => {
    const accounts = await Promise.all(Array.from({ length: 200 }, () => insertUser(server.orm)));
    const stranger = await insertUser(server.orm);
    const running = flood(200, (index) => login('198.51.100.3', accounts[index]?.email as string));
    await expectTurns(running, ['198.51.100.4', stranger.email], ['198.51.100.5', stranger.email]);
  });

  it('lets others in beside 200 sign-ups at once, from the same network as well', async () => {
    const stranger = await insertUser(server.orm);
    const running = flood(200, () => signUp('198.51.100.6'));
    await expectTurns(running, ['198.51.100.6', stranger.email], ['198.51.100.7', stranger.email]);
  });

  it('lets 60 sign-ins of one account in, and 150 of as many accounts of one network', async () => {
    const one = await insertUser(server.orm);
    expect(new Set(await flood(60, () => login('198.51.100.8', one.email)).end())).toEqual(new Set([200]));
    const accounts = await Promise.all(Array.from({ length: 150 }, () => insertUser(server.orm)));
    const many = flood(150, (index) => login('198.51.100.8', accounts[index]?.email as string));
    expect(new Set(await many.end())).toEqual(new Set([200]));
  });

  it('bounds 500 wrong ones: what is too much gets Retry-After, lists are still served, and memory stays bounded', async () => {
    const free = await serveInTest({ fullHashCost: true });
    const { owner } = await createTeam(free);
    const users = await Promise.all(Array.from({ length: 10 }, () => insertUser(free.orm)));
    const before = process.memoryUsage.rss();
    const logins = Array.from({ length: 500 }, (_each, index) =>
      post(`${free.url}/auth/login`, { email: users[index % 10]?.email, password: 'wrong' }),
    );
    const lists = await Promise.all(Array.from({ length: 20 }, () => send(free, owner, 'GET /events')));
    expect(new Set(lists.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = (await Promise.all(logins)).filter(({ status }) => status !== 400);
    expectOnlyWaits(refused.map(({ status }) => status));
    // 80 to 150 have been seen: it depends on how fast the machine hashes, and how fast it sends
    expect(refused.length).toBeGreaterThan(50);
    for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    // 500 hashes at once would hold 9.5 GB
    expect(process.memoryUsage.rss() - before).toBeLessThan(600 * 2 ** 20);
  });
});
