import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertMember, password } from '../support/fixtures.ts';
import { mailsTo, settleMails, tokenOf } from '../support/guests.ts';
import { holding, waitersFor } from '../support/locks.ts';
import { openRaw } from '../support/raw.ts';
import { graphql, send } from '../support/send.ts';
import { createTeam, isAccepted, post, refreshWith, serve, signIn } from '../support/server.ts';

const server = await serve({ env: { TRUST_PROXY: 'loopback', LOCK_TIMEOUT_SECONDS: '60' } });

const lines = () => server.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
/** The lines of the requests to this path. */
const linesOf = (path: string) => lines().filter((line) => line.path === path);

function login(body: object, length?: number): string {
  const json = JSON.stringify(body);
  const head = 'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nuser-agent: gone\r\n';
  return `${head}x-forwarded-for: 192.0.2.7\r\ncontent-length: ${length ?? json.length}\r\n\r\n${json}`;
}

const expected = { msg: 'request', requestId: expect.stringMatching(/^[\da-f-]{36}$/), ip: '192.0.2.7' };

it('a client that sends and resets leaves a line in the log, and its address wherever it is kept', async () => {
  const member = await insertMember(server.orm, { role: 'owner' });
  const em = await holding(server, 'lock table session in access exclusive mode');
  const before = linesOf('/auth/login').length;
  const { socket } = await openRaw(server.url);
  socket.write(login({ email: member.email, password }));
  // the handler is at work: it waits for the lock
  await expect.poll(() => waitersFor(server.orm, 'session')).toBeGreaterThan(0);
  socket.resetAndDestroy();
  await expect.poll(() => linesOf('/auth/login')).toHaveLength(before + 1);
  await em.rollback();
  expect(linesOf('/auth/login')[before]).toMatchObject({ ...expected, method: 'POST', outcome: 'aborted' });
  expect(linesOf('/auth/login')[before]).not.toHaveProperty('status');

  const rows = (table: string) => server.execute(`select ip, user_agent from ${table} where user_agent = 'gone'`);
  await expect.poll(() => rows('session')).toEqual([{ ip: '192.0.2.7', user_agent: 'gone' }]);
  await expect.poll(() => rows('audit_entry')).toEqual([{ ip: '192.0.2.7', user_agent: 'gone' }]);
});

it('a client that disconnects in the middle of a body is logged, and not served', async () => {
  const before = linesOf('/auth/login').length;
  for (const leave of ['resetAndDestroy', 'destroy'] as const) {
    const { socket } = await openRaw(server.url);
    await new Promise((resolve) => socket.write(login({ email: `${randomUUIDv7()}@example.org` }, 9999), resolve));
    socket[leave]();
  }
  await expect.poll(() => linesOf('/auth/login').length).toBe(before + 2);
  for (const line of linesOf('/auth/login').slice(before)) expect(line).toMatchObject({ ...expected, method: 'POST' });
});

it('each of the requests that a lost connection had waits for one line', async () => {
  const em = await holding(server, 'lock table "user" in access exclusive mode');
  const before = linesOf('/auth/login').length;
  const { socket } = await openRaw(server.url);
  const one = login({ email: `${randomUUIDv7()}@example.org`, password });
  socket.write(one + one + one);
  await expect.poll(() => waitersFor(server.orm, '"user"')).toBe(3);
  socket.resetAndDestroy();
  await expect.poll(() => linesOf('/auth/login').length).toBe(before + 3);
  await em.rollback();
  const lost = linesOf('/auth/login').slice(before);
  expect(lost.map(({ outcome }) => outcome)).toEqual(['aborted', 'aborted', 'aborted']);
  expect(new Set(lost.map(({ requestId }) => requestId)).size).toBe(3);
});

it('an answer leaves its status and the id that the client has', async () => {
  const response = await fetch(`${server.url}/openapi.json`, { headers: { 'x-forwarded-for': '2001:db8::1' } });
  const requestId = response.headers.get('x-request-id');
  await expect
    .poll(() => linesOf('/openapi.json'))
    .toEqual([expect.objectContaining({ requestId, ip: '2001:db8::1', status: 200, outcome: 'answered', level: 30 })]);
});

it('what never became a request leaves a line with the id that the client has', async () => {
  const { socket, ended } = await openRaw(server.url);
  socket.write('NONSENSE\r\n\r\n');
  const requestId = /x-request-id: (\S+)/i.exec(await ended)?.[1];
  expect(lines().filter((line) => line.requestId === requestId)).toMatchObject([{ status: 400, ip: '127.0.0.1' }]);
});

it('a probe that succeeds is no line, and other requests are', async () => {
  for (const path of ['/healthz', '/readyz', '/nowhere']) await fetch(`${server.url}${path}`);
  await expect.poll(() => linesOf('/nowhere')).toHaveLength(1);
  expect([...linesOf('/healthz'), ...linesOf('/readyz')]).toEqual([]);
});

describe('a line says who asked for what, and what came of it', async () => {
  const team = await createTeam(server);
  /** The line of a response. */
  const lineOf = async ({ headers }: { headers: Headers }) => {
    const own = () => lines().filter(({ requestId }) => requestId === headers.get('x-request-id'));
    await expect.poll(own).toHaveLength(1);
    return own()[0];
  };
  const who = { user: team.member.userId, organization: team.organizationId };

  it('of REST', async () => {
    expect(await lineOf(await send(server, team.member, 'GET /events'))).toMatchObject({
      ...{ operation: 'listEvents', ...who, status: 200 },
    });
    expect(await lineOf(await send(server, team.member, 'POST /events', {}))).toMatchObject({
      ...{ operation: 'createEvent', ...who, status: 403, code: 'FORBIDDEN' },
    });
    const elsewhere = { ...team.member, organizationId: randomUUIDv7() };
    const refused = await lineOf(await send(server, elsewhere, 'GET /events'));
    expect(refused).toMatchObject({ user: team.member.userId, code: 'ORGANIZATION_FORBIDDEN' });
    expect(refused).not.toHaveProperty('organization');
  });

  it('of GraphQL, where the status says nothing of errors', async () => {
    const fine = await lineOf(await graphql(server, team.member, '{ events(first: 1) { totalCount } }'));
    expect(fine).toMatchObject({ path: '/graphql', operation: 'Query.events', ...who, status: 200 });
    expect(fine).not.toHaveProperty('code');
    const answer = await graphql(server, team.member, '{ viewer { id } events(first: -1) { totalCount } }');
    expect(await lineOf(answer)).toMatchObject({
      ...{ operation: 'Query.several', ...who, status: 200, code: 'INVALID_QUERY' },
    });
    const invalid = await graphql(server, team.member, '{ nonsense }');
    expect(await lineOf(invalid)).toMatchObject({ operation: 'refused', code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  it('of a public page by its organization, without a name or an address', async () => {
    const { slug } = (await send(server, team.member, 'GET /organization')).body;
    const line = await lineOf(await fetch(`${server.url}/o/${slug}`));
    expect(line).toMatchObject({ organization: team.organizationId, status: 200 });
    expect(line).not.toHaveProperty('user');
    const signIn = await post(`${server.url}/auth/login`, { email: team.member.email, password: 'wrong' });
    expect(await lineOf(signIn)).toMatchObject({ operation: 'login', status: 400, code: 'INVALID_CREDENTIALS' });
    expect(server.logLines.join()).not.toContain(team.member.email);
  });
});

const traced = await serve({ env: { LOG_LEVEL: 'trace' } });

it('no log line, audit entry or queued mail holds a password, token, cookie or link', async () => {
  const email = `ada-${randomUUIDv7()}@example.org`;
  const passwords = ['the first one of them', 'the second one of them', 'wrong and long enough', 'password123'];
  const [first, second, wrong, weak] = passwords as [string, string, string, string];
  const send = (path: string, body: unknown) => post(`${traced.url}/auth/${path}`, body);
  const account = { email, password: first, name: 'Ada', organization_name: 'Mine' };
  await send('signup', { ...account, password: weak });
  await send('signup', account);
  const verification = tokenOf((await mailsTo(traced, email))[0] as { text: string });
  await fetch(`${traced.url}/verify-email?token=${verification}`);
  await send('login', { email, password: first });
  await send('verify-email', { token: verification });
  await send('verify-email', { token: verification });
  await send('login', { email, password: wrong });
  const session = await signIn(traced.url, email, first);
  await isAccepted(traced.url, session.accessToken);
  await refreshWith(traced.url, session.cookie);
  await send('signup', account);
  await mailsTo(traced, email, 2);
  await send('reset-password-request', { email });
  const mails = await mailsTo(traced, email, 3);
  const reset = tokenOf(mails[2] as { text: string });
  await send('reset-password', { token: reset, password: weak });
  await send('reset-password', { token: reset, password: second });
  await send('reset-password', { token: reset, password: second });
  const last = await signIn(traced.url, email, second);
  const invited = `eve-${randomUUIDv7()}@example.org`;
  const [organization] = await traced.execute('select id from organization');
  const owner = { authorization: `Bearer ${last.accessToken}`, 'x-organization-id': organization?.id };
  await post(`${traced.url}/invitations`, { email: invited, role: 'member' }, owner);
  const [invitation] = await mailsTo(traced, invited);
  await post(`${traced.url}/auth/logout`, undefined, { cookie: last.cookie });
  await settleMails(traced);

  const em = traced.orm.em.fork();
  const actions = (await em.execute('select action from audit_entry')).map(({ action }) => action);
  const written = ['signed_up', 'verified', 'signup_refused', 'password_reset_requested', 'password_reset'];
  expect(actions).toEqual(expect.arrayContaining(written.map((each) => `user.${each}`)));
  const kept: Record<string, string> = { log: traced.logLines.join('') };
  for (const table of ['audit_entry', 'job', 'one_time_token', '"user"', 'session', 'invitation'])
    kept[table] = JSON.stringify(await em.execute(`select row_to_json(t)::text as text from ${table} t`));
  expect(traced.logLines.length).toBeGreaterThan(15);
  const tokens = [...mails.slice(0, 3), invitation as (typeof mails)[0]].map((mail) => tokenOf(mail));
  const credentials = [session, last].flatMap(({ accessToken, refreshToken, cookie }) => {
    const hidden = Buffer.from(refreshToken, 'base64url').subarray(20);
    const written = [hidden.toString('hex'), hidden.toString('base64url')];
    return [accessToken, refreshToken, cookie, decodeURIComponent(cookie), ...written];
  });
  for (const [where, text] of Object.entries(kept)) {
    for (const secret of [...passwords, ...tokens, ...credentials, '?token=', '$argon2id']) {
      if (where === '"user"' && secret === '$argon2id') continue;
      expect(text.includes(secret), `${where} holds ${secret}`).toBe(false);
    }
  }
});
