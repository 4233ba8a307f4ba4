import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertUser, password } from '../support/fixtures.ts';
import { send } from '../support/send.ts';
import { createTeam, post, serve, serveInTest } from '../support/server.ts';

const server = await serve({ fullHashCost: true, env: { RATE_LIMIT: 'on', TRUST_PROXY: 'on' } });

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
async function expectTurns(
  running: ReturnType<typeof flood>,
  ...signIns: (() => Promise<{ status: number }>)[]
): Promise<number[]> {
  // the flood's requests have been read by the service, and the first of them were served
  await expect.poll(running.served, { interval: 5 }).toBeGreaterThan(5);
  for (const signIn of signIns) {
    const before = running.served();
    expect((await signIn()).status).toBe(200);
    expect(running.served() - before).toBeLessThan(60);
  }
  const statuses = await running.end();
  expectOnlyWaits(statuses);
  return statuses;
}

describe('POST /auth/login', { timeout: 120_000 }, () => {
  it('lets others in beside 260 valid sign-ins of one account at once, from its own network as well', async () => {
    const [attacker, neighbour, stranger] = await Promise.all([1, 2, 3].map(() => insertUser(server.orm)));
    const running = flood(260, () => login('198.51.100.1', attacker?.email as string));
    const statuses = await expectTurns(
      running,
      () => login('198.51.100.1', neighbour?.email as string),
      () => login('198.51.100.2', stranger?.email as string),
    );
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(100);
  });

  it('lets others in beside 200 sign-ins of as many accounts of one network', async () => {
    const accounts = await Promise.all(Array.from({ length: 200 }, () => insertUser(server.orm)));
    const stranger = await insertUser(server.orm);
    const running = flood(200, (index) => login('198.51.100.3', accounts[index]?.email as string));
    await expectTurns(
      running,
      () => login('198.51.100.4', stranger.email),
      () => login('198.51.100.5', stranger.email),
    );
  });

  it('lets others in beside 200 sign-ups at once, from the same network as well', async () => {
    const stranger = await insertUser(server.orm);
    const running = flood(200, () => signUp('198.51.100.6'));
    await expectTurns(
      running,
      () => login('198.51.100.6', stranger.email),
      () => login('198.51.100.7', stranger.email),
    );
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
