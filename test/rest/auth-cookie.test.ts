import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { parsePrivateKeys } from '#rotating-secrets';
import type { Secrets } from '../../src/config/secrets.ts';
import { type KeptSecrets, newSecret, rotate, secretKinds } from '../../src/config/secrets-file.ts';
import { Session } from '../../src/domain/session/session.table.ts';
import { entriesOf, insertEvent, insertMember, insertUser } from '../support/fixtures.ts';
import { type Answer, expectCode, type Page, send } from '../support/send.ts';
import {
  isAccepted,
  post,
  readSignIn,
  refreshWith,
  type SignIn,
  serve,
  serveInTest,
  signIn,
  signInNew,
  type TestServer,
} from '../support/server.ts';

const server = await serve();

const refresh = (cookie: string) => refreshWith(server.url, cookie);
const sessionOf = ({ sessionId }: SignIn) => server.orm.em.fork().findOneOrFail(Session, sessionId);

/** Moves times of a session into the past instead of waiting. */
async function age({ sessionId }: SignIn, column: 'rotated_at' | 'last_used_at' | 'expires_at', interval: string) {
  await server.execute(`update session set ${column} = ${column} - interval '${interval}' where id = '${sessionId}'`);
}

type Visitor = Awaited<ReturnType<typeof signInNew>>;
const actionsOf = async ({ userId, sessionId }: Visitor) =>
  (await entriesOf(server, { subject_id: userId })).filter(({ detail }) => detail?.session === sessionId);
const newSession = () => signInNew(server);

describe('POST /auth/refresh', () => {
  it('answers the login object for the same session, and replaces the cookie', async () => {
    const first = await newSession();
    const response = await refresh(first.cookie);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/auth', 'SameSite=Lax']);
    const { body } = response;
    expect(body.expires).toBe((decodeJwt(body.access_token as string).exp ?? 0) * 1000);
    const second = readSignIn(response);
    expect(second.sessionId).toBe(first.sessionId);
    expect(second.cookie).not.toBe(first.cookie);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(await isAccepted(server.url, second.accessToken)).toBe(true);
    expect(await isAccepted(server.url, first.accessToken)).toBe(true);
    expect(await sessionOf(first)).toMatchObject({ counter: 1, ended_at: null });
  });

  it('takes an empty object as the body; anything else is a VALIDATION_ERROR and rotates nothing', async () => {
    const session = await newSession();
    const send = (body: unknown) => post(`${server.url}/auth/refresh`, body, { cookie: session.cookie });
    for (const body of [{ anything: 1 }, { refresh_token: 'x' }, [], null, '', 0]) {
      const response = await send(body);
      expect(response.headers.getSetCookie()).toEqual([]);
      expectCode(response, 400, 'VALIDATION_ERROR');
    }
    expect(await sessionOf(session)).toMatchObject({ counter: 0, rotated_at: null });
    readSignIn(await send({}));
  });

  it('reads the token from the cookie only', async () => {
    const session = await newSession();
    const url = `${server.url}/auth/refresh`;
    for (const token of [session.refreshToken, session.accessToken]) {
      const headers = { authorization: `Bearer ${token}`, token, 'x-refresh-token': token };
      for (const body of [undefined, { refresh_token: token }]) {
        const response = await post(url, body, headers);
        expect(response.headers.get('www-authenticate')).toBeNull();
        expectCode(response, 401, 'TOKEN_NOT_FOUND');
      }
      expectCode(await post(`${url}?token=${token}`), 400, 'INVALID_QUERY');
    }
    expect((await sessionOf(session)).counter).toBe(0);
  });

  it('accepts no parent at all if the grace is 0', async () => {
    const strict = await serveInTest({ databaseUrl: server.databaseUrl, env: { REFRESH_GRACE_SECONDS: '0' } });
    const { email } = await insertUser(server.orm);
    const parent = await signIn(strict.url, email);
    const child = readSignIn(await refreshWith(strict.url, parent.cookie));
    // the column is rounded to milliseconds, up as well: the rotation may seem to lie ahead
    await age(parent, 'rotated_at', '-1 second');
    expectCode(await refreshWith(strict.url, parent.cookie), 401, 'INVALID_TOKEN');
    expectCode(await refreshWith(strict.url, child.cookie), 401, 'INVALID_TOKEN');
    expect(await sessionOf(parent)).toMatchObject({ end_reason: 'refresh_reused' });
  });

  it('refuses the cookie of a session that was idle for 30 days', async () => {
    const session = await newSession();
    await age(session, 'last_used_at', '29 days 23 hours');
    const next = readSignIn(await refresh(session.cookie));
    await age(next, 'last_used_at', '30 days');
    const response = await refresh(next.cookie);
    expect(response.headers.getSetCookie()).toEqual([]);
    expectCode(response, 401, 'INVALID_TOKEN');
    expect(await sessionOf(next)).toMatchObject({ counter: 1 });
  });

  it('takes the absolute end from the setting', async () => {
    const short = await serveInTest({ databaseUrl: server.databaseUrl, env: { SESSION_MAX_DAYS: '7' } });
    const session = await signInNew(short);
    const { created_at, expires_at } = await sessionOf(session);
    expect((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000).toBeCloseTo(7, 3);
  });

  it('refuses the parent within its grace if the session has died meanwhile', async () => {
    const parent = await newSession();
    readSignIn(await refresh(parent.cookie));
    await age(parent, 'expires_at', '91 days');
    expectCode(await refresh(parent.cookie), 401, 'INVALID_TOKEN');
    expect((await actionsOf(parent)).map(({ action }) => action)).toEqual(['session.started']);
  });
});

const logout = (headers: Record<string, string> = {}, body?: unknown) =>
  post(`${server.url}/auth/logout`, body, headers);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function expectTrue({ status, body, headers }: Answer<unknown>) {
  expect([status, body]).toEqual([200, true]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.getSetCookie()).toEqual(['token=; Max-Age=0; Path=/auth; HttpOnly; SameSite=Lax']);
}

describe('POST /auth/logout', () => {
  it('ends the session of the cookie with its access tokens at once, clears the cookie, and is always true', async () => {
    const session = await newSession();
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
    expectTrue(await logout({ cookie: session.cookie, 'user-agent': 'x'.repeat(500) }));
    expect(await isAccepted(server.url, session.accessToken)).toBe(false);
    expectCode(await refreshWith(server.url, session.cookie), 401, 'INVALID_TOKEN');
    for (let again = 0; again < 2; again += 1) expectTrue(await logout({ cookie: session.cookie }, {}));
    expect(await sessionOf(session)).toMatchObject({ ended_at: expect.any(String), end_reason: 'logout' });
    const { userId: user } = session;
    expect(await entriesOf(server, { subject_id: user, action: 'session.ended' })).toMatchObject([
      { actor_id: user, user_agent: 'x'.repeat(400), detail: { session: session.sessionId, reason: 'logout' } },
    ]);
  });

  it('ends access tokens on this process without waiting to hear of it from the database', async () => {
    const session = await newSession();
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
    await server.execute('alter table session disable trigger user');
    expectTrue(await logout({ cookie: session.cookie }));
    expect(await isAccepted(server.url, session.accessToken)).toBe(false);
    await server.execute('alter table session enable trigger user');
  });

  it.each<[string, (cookie: string) => Record<string, string>, boolean]>([
    ['the bearer if there is no cookie', () => ({}), false],
    ['the cookie rather than that of the bearer', (cookie) => ({ cookie }), true],
    ['the bearer if the cookie was tampered with', (cookie) => ({ cookie: `${cookie}x` }), false],
  ])('ends the session of %s, and no other', async (_name, sent, isOfCookie) => {
    const [first, second] = [await newSession(), await newSession()];
    expectTrue(await logout({ ...sent(first.cookie), ...bearer(second.accessToken) }));
    expect(await isAccepted(server.url, first.accessToken)).toBe(!isOfCookie);
    expect(await isAccepted(server.url, second.accessToken)).toBe(isOfCookie);
  });

  it('answers true to whoever is not signed in, or no longer', async () => {
    const { cookie, accessToken } = await newSession();
    await logout({ cookie });
    const ended = { cookie, ...bearer(accessToken) };
    const strange: Record<string, string>[] = [{ cookie: 'token=nothing' }, { authorization: 'Basic dTpw' }];
    for (const headers of [{}, bearer('nothing'), ...strange, ended]) expectTrue(await logout(headers));
  });

  it('refuses fields with VALIDATION_ERROR, and ends nothing', async () => {
    const session = await newSession();
    const response = await logout({ cookie: session.cookie }, { all: true });
    expect(response.headers.getSetCookie()).toEqual([]);
    expectCode(response, 400, 'VALIDATION_ERROR', ['/all']);
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
  });
});

const start = new Date();
let kept = Object.fromEntries(secretKinds.map((kind) => [kind, [newSecret(kind, start)]])) as KeptSecrets;

function turn(minutes: number): void {
  const now = new Date(start.getTime() + minutes * 60_000);
  kept = Object.fromEntries(secretKinds.map((kind) => [kind, rotate(kind, kept[kind], now).secrets])) as KeptSecrets;
}

/** Starts another process with what is kept by now, as an operator does. */
async function startAnew(): Promise<TestServer> {
  const values = (kind: (typeof secretKinds)[number]) => kept[kind].map(({ value }) => value);
  const secrets: Secrets = {
    cookieSecrets: values('cookie_secrets'),
    cursorSecrets: values('cursor_secrets'),
    encryptionKeys: values('encryption_keys'),
    privateKeys: values('jwt_private_keys').flatMap(parsePrivateKeys),
  };
  return await serveInTest({ databaseUrl: server.databaseUrl, secrets });
}

const publishedBy = async (at: TestServer) =>
  (await send<{ keys: { kid: string }[] }>(at, {}, 'GET /.well-known/jwks.json')).body.keys.map(({ kid }) => kid);
const kidOf = ({ accessToken }: SignIn) => decodeProtectedHeader(accessToken).kid;

it('keys are published before they sign; cookies, access tokens and cursors outlive each step of a rotation', async () => {
  const { organizationId, email } = await insertMember(server.orm, { role: 'owner' });
  for (let index = 0; index < 2; index += 1) await insertEvent(server.orm, { organizationId });
  const list = (at: TestServer, { accessToken }: SignIn, query: string) =>
    send<Page>(at, { accessToken, organizationId }, `GET /events?limit=1${query}`);
  const one = await startAnew();
  const first = await signIn(one.url, email);
  const { next } = (await list(one, first, '')).body;

  turn(1);
  const two = await startAnew();
  const published = await publishedBy(two);
  expect(published).toEqual([kidOf(first), expect.any(String)]);
  expect(await isAccepted(two.url, first.accessToken)).toBe(true);
  const second = readSignIn(await refreshWith(two.url, first.cookie));
  expect(kidOf(second)).toBe(kidOf(first));

  turn(11);
  const three = await startAnew();
  expect(await publishedBy(three)).toEqual(published.toReversed());
  expect(await isAccepted(three.url, first.accessToken)).toBe(true);
  const third = readSignIn(await refreshWith(three.url, second.cookie));
  expect(third.sessionId).toBe(first.sessionId);
  expect(kidOf(third)).toBe(published[1]);
  expect((await list(three, third, `&token=${next}`)).body).toMatchObject({ items: [{}] });
});
