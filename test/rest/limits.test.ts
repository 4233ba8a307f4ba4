import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LimitRule } from '../../src/kernel/limits/rules.ts';
import { insertUser, password } from '../support/fixtures.ts';
import { countMails, mailsTo, settleMails } from '../support/guests.ts';
import { expectCode } from '../support/send.ts';
import { post, serve, serveInTest } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';

const env = { RATE_LIMIT: 'on', TRUST_PROXY: 'on' };
const server = await serve({ env });
const replica = await serve({ env, databaseUrl: server.databaseUrl, secrets: server.secrets });

let networks = 0;
/** An address that no test has used. */
const freshIp = () => `203.0.${Math.floor(networks / 250)}.${(networks++ % 250) + 1}`;
const login = (ip: string, email: string, secret: string, url = server.url) =>
  post(`${url}/auth/login`, { email, password: secret }, { 'x-forwarded-for': ip });
const signUp = { email: 'a@example.org', password: 'a good one now', name: 'A', organization_name: 'B' };
const statuses = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

describe('POST /auth/login', () => {
  it('answers RATE_LIMITED with Retry-After after 10 failures of an account from an address, on every process', async () => {
    const { email } = await insertUser(server.orm);
    const ip = freshIp();
    for (let index = 0; index < 10; index += 1) {
      const url = index % 2 ? server.url : replica.url;
      expectCode(await login(ip, index % 3 ? email : email.toUpperCase(), 'wrong', url), 400, 'INVALID_CREDENTIALS');
    }
    for (const { url } of [server, replica]) {
      const refused = await login(ip, email, password, url);
      const wait = Number(refused.headers.get('retry-after'));
      expectCode(refused, 429, 'RATE_LIMITED');
      expect(wait).toBeGreaterThan(14 * 60);
      expect(wait).toBeLessThanOrEqual(15 * 60);
    }
    // from elsewhere the owner still comes in, and from here others do
    expect((await login(freshIp(), email, password)).status).toBe(200);
    const other = await insertUser(server.orm);
    expect((await login(ip, other.email, password)).status).toBe(200);
  });

  it('counts no attempt that it refuses: one account cannot lock its whole network out', async () => {
    const { email } = await insertUser(server.orm);
    const ip = freshIp();
    for (let index = 0; index < 10; index += 1) await login(ip, email, 'wrong');
    // asked of a process that knows nothing by heart, so that each is counted in the database
    for (let index = 0; index < 95; index += 1) {
      const { url } = index === 0 ? server : replica;
      expect((await login(ip, email, 'wrong', url)).status).toBe(429);
    }
    const [counted] = await server.execute<{ points: number }>(
      "select points from rate_limit where key like 'login_network%' order by expire desc limit 1",
    );
    expect(counted?.points).toBe(10);
    const other = await insertUser(server.orm);
    expect((await login(ip, other.email, password)).status).toBe(200);
  });

  it('lets in again once the time has passed', async () => {
    const { email } = await insertUser(server.orm);
    const ip = freshIp();
    for (let index = 0; index < 10; index += 1) await login(ip, email, 'wrong');
    await server.execute('update rate_limit set expire = 0');
    expect((await login(ip, email, password)).status).toBe(200);
  });

  it.each([
    ['an account', true],
    ['an address without one', false],
  ])('counts %s once, however it is spelt', async (_name, exists) => {
    const ip = freshIp();
    const name = `istanbul-jos\u00e9-${randomUUIDv7()}@b\u00fccher.example`;
    if (exists) await insertUser(server.orm, { email: name });
    const ascii = name.replace('b\u00fccher', 'XN--bcher-kva');
    const spellings = [name, name.toUpperCase(), name.normalize('NFD'), ascii];
    const answers: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      answers.push((await login(ip, spellings[index % spellings.length] as string, 'wrong')).status);
    }
    expect(answers).toEqual([...Array(10).fill(400), 429]);
    // another address, though PostgreSQL's `lower` makes the same of both
    expect((await login(ip, name.replace('i', '\u0130'), 'wrong')).status).toBe(400);
  });

  it('notes the address of a session without a port', async () => {
    const { id, email } = await insertUser(server.orm);
    expect((await login('[2001:DB8::0:7]:4711', email, password)).status).toBe(200);
    const sessions = await server.execute('select ip from session where user_id = ?', [id]);
    expect(sessions).toEqual([{ ip: '2001:db8::7' }]);
  });

  it('checks no more than 10 of 30 wrong passwords that come at once', async () => {
    const { email } = await insertUser(server.orm);
    const ip = freshIp();
    const answers = await statuses(
      Array.from({ length: 30 }, (_each, index) =>
        login(ip, email, `wrong ${index}`, index % 2 ? server.url : replica.url),
      ),
    );
    expect(answers.filter((status) => status === 400)).toHaveLength(10);
    expect(answers.filter((status) => status === 429)).toHaveLength(20);
  });

  it('does not count 30 correct passwords at once as failures, and resets the count after a success', async () => {
    const { email } = await insertUser(server.orm);
    const ip = freshIp();
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 6; index += 1) expect((await login(ip, email, 'wrong')).status).toBe(400);
      expect((await login(ip, email, password)).status).toBe(200);
    }
    expect(await statuses(Array.from({ length: 30 }, () => login(ip, email, password)))).toEqual(Array(30).fill(200));
  });

  it('counts a right password of an unverified account as no failure', async () => {
    const { email } = await insertUser(server.orm, { verified: false });
    const ip = freshIp();
    for (let index = 0; index < 12; index += 1) expect((await login(ip, email, password)).status).toBe(401);
  });

  it.each<[number, string, LimitRule, string, (index: number) => string, string]>([
    [100, 'an IPv4 address', 'login_network', '198.51.100.7', () => '198.51.100.7', '198.51.100.8'],
    [100, 'a /64', 'login_network', '2001:db8:1:2::/64', (index) => `2001:DB8:1:2:${index}::1`, '2001:db8:1:3::1'],
    [300, 'a /56', 'login_network_56', '2001:db8:9:100::/56', (n) => `2001:db8:9:1${n + 10}::1`, '2001:db8:9:200::1'],
    [1000, 'a /48', 'login_network_48', '2001:db8:a:0::/48', (n) => `2001:db8:a:${n + 10}00::1`, '2001:db8:b:100::1'],
  ])('answers RATE_LIMITED after %i failures from %s, whatever the accounts', async (points, _name, ...given) => {
    const [rule, key, ipOf, other] = given;
    await Promise.all(Array.from({ length: points - 12 }, () => server.services.limits.take({ rule, key })));
    const failures = Array.from({ length: 12 }, (_each, index) =>
      login(ipOf(index), `somebody-${randomUUIDv7()}@example.org`, 'wrong'),
    );
    expect(await statuses(failures)).toEqual(Array(12).fill(400));
    const { email } = await insertUser(server.orm);
    expectCode(await login(ipOf(12), email, password), 429, 'RATE_LIMITED');
    expect((await login(other, email, password)).status).toBe(200);
  });

  it('costs four more short statements if it succeeds, and its counters identify nobody', async () => {
    const { email } = await insertUser(server.orm);
    const { statements } = await countStatements(server.orm, () => login(freshIp(), email, password));
    expect(statements.filter((text) => text.includes('rate_limit'))).toHaveLength(4);
    await login(freshIp(), email, 'wrong');
    const kept = await server.execute('select key from rate_limit');
    expect(kept.length).toBeGreaterThan(0);
    for (const { key } of kept) expect(key).toMatch(/^[a-z_\d]+:[\w-]{43}$/);
  });
});

describe('mails', () => {
  it('go to a mailbox at most three times an hour, and the answers stay the same', async () => {
    const { email } = await insertUser(server.orm, { verified: false });
    const requests = ['reset-password-request', 'verify-email-request'];
    const answers = [];
    for (const path of [...requests, 'signup', ...requests]) {
      const body = path === 'signup' ? { ...signUp, email: email.toUpperCase() } : { email };
      const answer = await post(`${server.url}/auth/${path}`, body, { 'x-forwarded-for': freshIp() });
      answers.push(`${answer.status} ${answer.text}`);
      await settleMails(server);
    }
    expect(answers).toEqual(Array(5).fill('200 true'));
    expect((await countMails(server, email)) + (await countMails(replica, email))).toBe(3);
  });

  it.each([
    ['signup', 'signup_network', signUp],
    ['reset-password-request', 'mail_network', { email: 'somebody@example.org' }],
    ['verify-email-request', 'mail_network', { email: 'somebody@example.org' }],
    ['verify-email', 'token_network', { token: 'x' }],
    ['reset-password', 'token_network', { token: 'x', password: 'a good one now' }],
  ] as const)(
    'and what asks for them: /auth/%s answers RATE_LIMITED after 1,000 from a network',
    async (path, rule, body) => {
      const ip = freshIp();
      const send = () => post(`${server.url}/auth/${path}`, body, { 'x-forwarded-for': ip });
      await Promise.all(Array.from({ length: 998 }, () => server.services.limits.take({ rule, key: ip })));
      const status = rule === 'token_network' ? 400 : 200;
      expect(await statuses([send(), send()])).toEqual([status, status]);
      const refused = await send();
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expectCode(refused, 429, 'RATE_LIMITED');
    },
  );
});

it('RATE_LIMIT=off lifts every limit, that of mails too', async () => {
  const free = await serveInTest();
  const { email } = await insertUser(free.orm);
  for (let index = 0; index < 12; index += 1) {
    expect((await post(`${free.url}/auth/login`, { email, password: 'wrong' })).status).toBe(400);
  }
  for (let count = 1; count <= 5; count += 1) {
    await post(`${free.url}/auth/reset-password-request`, { email });
    await mailsTo(free, email, count);
  }
  expect(await free.execute('select * from rate_limit')).toEqual([]);
});
