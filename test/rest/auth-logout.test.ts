import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../src/domain/audit/audit-entry.table.ts';
import { Session } from '../../src/domain/session/session.table.ts';
import { insertUser } from '../support/fixtures.ts';
import { serve } from '../support/server.ts';
import { expectProblem, isAccepted, post, refreshWith, type SignIn, signIn } from '../support/sign-in.ts';

const server = await serve();

const logout = (headers: Record<string, string> = {}, body?: unknown) =>
  post(`${server.url}/auth/logout`, body, headers);
const newSession = async () => await signIn(server.url, (await insertUser(server.orm)).email);
const sessionOf = ({ sessionId }: SignIn) => server.orm.em.fork().findOneOrFail(Session, sessionId);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function expectTrue(response: Response) {
  expect(response.status).toBe(200);
  expect(await response.json()).toBe(true);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.getSetCookie()).toEqual(['token=; Max-Age=0; Path=/auth; HttpOnly; SameSite=Lax']);
}

describe('POST /auth/logout', () => {
  it('ends the session of the cookie with its access tokens at once, and clears the cookie', async () => {
    const session = await newSession();
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
    await expectTrue(await logout({ cookie: session.cookie, 'user-agent': 'x'.repeat(500) }));
    expect(await isAccepted(server.url, session.accessToken)).toBe(false);
    await expectProblem(await refreshWith(server.url, session.cookie), 401, 'INVALID_TOKEN');
    const { ended_at, end_reason, user_id: user } = await sessionOf(session);
    expect({ ended_at, end_reason }).toEqual({ ended_at: expect.any(String), end_reason: 'logout' });
    const entries = await server.orm.em.fork().find(AuditEntry, { subject_id: user, action: 'session.ended' });
    expect(entries).toMatchObject([
      { actor_id: user, user_agent: 'x'.repeat(400), detail: { session: session.sessionId, reason: 'logout' } },
    ]);
  });

  it('ends access tokens on this process without waiting to hear of it from the database', async () => {
    const session = await newSession();
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
    await server.execute('alter table session disable trigger user');
    await expectTrue(await logout({ cookie: session.cookie }));
    expect(await isAccepted(server.url, session.accessToken)).toBe(false);
    await server.execute('alter table session enable trigger user');
  });

  it.each<[string, (cookie: string) => Record<string, string>, boolean]>([
    ['the bearer if there is no cookie', () => ({}), false],
    ['the cookie rather than that of the bearer', (cookie) => ({ cookie }), true],
    ['the bearer if the cookie was tampered with', (cookie) => ({ cookie: `${cookie}x` }), false],
  ])('ends the session of %s, and no other', async (_name, sent, isOfCookie) => {
    const [first, second] = [await newSession(), await newSession()];
    await expectTrue(await logout({ ...sent(first.cookie), ...bearer(second.accessToken) }));
    expect(await isAccepted(server.url, first.accessToken)).toBe(!isOfCookie);
    expect(await isAccepted(server.url, second.accessToken)).toBe(isOfCookie);
  });

  it.each<[string, () => Promise<Record<string, string>>]>([
    ['nothing at all', async () => ({})],
    ['an unsigned cookie', async () => ({ cookie: 'token=nothing' })],
    ['a bearer that is none', async () => bearer('nothing')],
    ['another scheme', async () => ({ authorization: 'Basic dTpw' })],
    [
      'a session that has ended',
      async () => {
        const { cookie, accessToken } = await newSession();
        await logout({ cookie });
        return { cookie, ...bearer(accessToken) };
      },
    ],
  ])('answers true with %s', async (_name, headers) => {
    await expectTrue(await logout(await headers()));
  });

  it('always returns true, and writes one audit entry', async () => {
    const session = await newSession();
    for (let index = 0; index < 3; index += 1) await expectTrue(await logout({ cookie: session.cookie }, {}));
    const { user_id: user } = await sessionOf(session);
    expect(await server.orm.em.fork().count(AuditEntry, { subject_id: user, action: 'session.ended' })).toBe(1);
  });

  it('refuses fields with VALIDATION_ERROR, and ends nothing', async () => {
    const session = await newSession();
    const response = await logout({ cookie: session.cookie }, { all: true });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await expectProblem(response, 400, 'VALIDATION_ERROR')).errors).toMatchObject([{ pointer: '/all' }]);
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
  });
});
