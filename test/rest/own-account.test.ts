import { describe, expect, it } from 'vitest';
import { Session } from '../../src/domain/session/session.table.ts';
import {
  entriesOf,
  insertMember,
  insertMembership,
  insertOrganization,
  insertUser,
  password,
} from '../support/fixtures.ts';
import { mailsTo } from '../support/guests.ts';
import { expectCode, type Page, send, statusesOf } from '../support/send.ts';
import { isAccepted, post, readSignIn, refreshWith, type SignIn, serve, signIn, signInNew } from '../support/server.ts';

const server = await serve();

const changePassword = (session: SignIn, current: unknown, next: unknown) =>
  send(server, session, 'POST /auth/change-password', { current_password: current, password: next });
const login = (email: string, secret: string) => post(`${server.url}/auth/login`, { email, password: secret });

describe('POST /auth/change-password', () => {
  it('changes the password, ends all the other sessions at once, keeps the own, and mails a notice', async () => {
    const session = await signInNew(server);
    const { email } = session;
    const other = await signIn(server.url, email);
    expect(await isAccepted(server.url, other.accessToken)).toBe(true);
    const answer = await changePassword(session, password, 'a further long phrase');
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: 'true' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await isAccepted(server.url, other.accessToken)).toBe(false);
    expectCode(await refreshWith(server.url, other.cookie), 401, 'INVALID_TOKEN');
    expect(await isAccepted(server.url, session.accessToken)).toBe(true);
    readSignIn(await refreshWith(server.url, session.cookie));
    expectCode(await login(email, password), 400, 'INVALID_CREDENTIALS');
    await signIn(server.url, email, 'a further long phrase');
    await mailsTo(server, email);
  });

  it('refuses a wrong current password and a weak new one, and changes and ends nothing', async () => {
    const session = await signInNew(server);
    const other = await signIn(server.url, session.email);
    expectCode(await changePassword(session, 'not the password', 'a further long phrase'), 400, 'INVALID_CREDENTIALS');
    for (const weak of ['short12', 'password123', session.email]) {
      const answer = await changePassword(session, password, weak);
      expectCode(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.errors).toMatchObject([{ pointer: '/password', code: 'WEAK_PASSWORD' }]);
    }
    expect(await isAccepted(server.url, other.accessToken)).toBe(true);
    await signIn(server.url, session.email);
  });

  it('reports every wrong field', async () => {
    const session = await signInNew(server);
    const answer = await send(server, session, 'POST /auth/change-password', { password: 1, email: 'x' });
    expectCode(answer, 400, 'VALIDATION_ERROR', ['/current_password', '/email', '/password']);
  });

  it('lets one through if ten change it at the same time', async () => {
    const session = await signInNew(server);
    const phrases = Array.from({ length: 10 }, (_, index) => `a further long phrase ${index}`);
    const answers = await Promise.all(phrases.map((phrase) => changePassword(session, password, phrase)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    await signIn(server.url, session.email, phrases[answers.findIndex(({ status }) => status === 200)]);
  });
});

it('GET /auth/me answers the user with organizations and roles, by name', async () => {
  const { id, email } = await insertUser(server.orm, { name: 'Grace Hopper' });
  const zoo = await insertOrganization(server.orm, { name: 'Zoo' });
  const arena = await insertOrganization(server.orm, { name: 'Arena' });
  await insertOrganization(server.orm, { name: 'Somebody else' });
  await insertMembership(server.orm, { organizationId: zoo.id, userId: id, role: 'owner' });
  await insertMembership(server.orm, { organizationId: arena.id, userId: id, role: 'member' });
  const { headers, body } = await send(server, await signIn(server.url, email), 'GET /auth/me');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    id,
    email,
    name: 'Grace Hopper',
    organizations: [
      { id: arena.id, name: 'Arena', slug: arena.slug, role: 'member' },
      { id: zoo.id, name: 'Zoo', slug: zoo.slug, role: 'owner' },
    ],
  });
});

it('neither the token nor the cookie of a deleted user is accepted', async () => {
  const session = await signInNew(server);
  await server.execute('delete from "user" where id = ?', [session.userId]);
  expectCode(await send(server, session, 'GET /auth/me'), 401, 'INVALID_TOKEN');
  expectCode(await refreshWith(server.url, session.cookie), 401, 'INVALID_TOKEN');
});

describe('PATCH /auth/me', () => {
  it('changes the name, of up to 200 characters of any script, and answers the profile', async () => {
    const session = await signInNew(server);
    const name = '😀'.repeat(200);
    const answer = await send(server, session, 'PATCH /auth/me', { name: `  ${name} ` });
    expect(answer.body).toEqual({ id: session.userId, email: session.email, name, organizations: [] });
    expect((await send(server, session, 'GET /auth/me')).body).toEqual(answer.body);
  });

  it.each([
    ['white space', { name: ' \t ' }, ['/name']],
    ['201 characters', { name: 'é'.repeat(201) }, ['/name']],
    ['a lone surrogate', { name: 'a\ud800' }, ['/name']],
    ['no name', {}, ['/name']],
    ['another field', { name: 'Ada', email: 'b@example.org' }, ['/email']],
  ])('refuses %s, and changes nothing', async (_, body, pointers) => {
    const session = await signInNew(server);
    expectCode(await send(server, session, 'PATCH /auth/me', body), 400, 'VALIDATION_ERROR', pointers);
    expect((await send(server, session, 'GET /auth/me')).body.name).toBe('Ada Lovelace');
  });
});

type SessionList = Page<{ id: string; current: boolean }>;

/** A user with so many sessions, the oldest first. */
async function signedIn(count: number): Promise<{ userId: string; sessions: [SignIn, ...SignIn[]] }> {
  const { id, email } = await insertUser(server.orm);
  const sessions: SignIn[] = [];
  for (let index = 0; index < count; index += 1) sessions.push(await signIn(server.url, email));
  return { userId: id, sessions: sessions as [SignIn, ...SignIn[]] };
}

const list = (session: SignIn, query = '') => send<SessionList>(server, session, `GET /auth/sessions${query}`);
const idsOf = (answer: { body: SessionList }) => answer.body.items.map(({ id }) => id);

describe('GET /auth/sessions', () => {
  it('lists the own living sessions, oldest first, and marks the one that asks', async () => {
    const { sessions } = await signedIn(3);
    await signedIn(1);
    const answer = await list(sessions[1] as SignIn);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(idsOf(answer)).toEqual(sessions.map(({ sessionId }) => sessionId));
    expect(answer.body).toMatchObject({ length: 3, has_more: false, next: null, prev: null });
    expect(answer.body.items.map(({ current }) => current)).toEqual([false, true, false]);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.body.items[0]).toEqual({
      id: sessions[0].sessionId,
      created_at: timestamp,
      last_used_at: timestamp,
      expires_at: timestamp,
      ip: expect.stringMatching(/127\.0\.0\.1$/),
      user_agent: 'node',
      current: false,
    });
  });

  it('leaves out what has ended, expired or idled for 30 days', async () => {
    const { sessions } = await signedIn(4);
    const [first, second, third, fourth] = sessions.map(({ sessionId }) => sessionId);
    const em = server.orm.em.fork();
    await em.execute('update session set ended_at = now() where id = ?', [first]);
    await em.execute('update session set expires_at = now() where id = ?', [second]);
    await em.execute(`update session set last_used_at = now() - interval '30 days 1 second' where id = ?`, [third]);
    expect(idsOf(await list(sessions[3] as SignIn))).toEqual([fourth]);
    expect((await send(server, sessions[3] as SignIn, 'GET /auth/sessions/count')).body).toBe(1);
  });

  it('binds cursors to the viewer', async () => {
    const { sessions } = await signedIn(2);
    const other = await signedIn(2);
    const { body } = await list(sessions[0], '?limit=1');
    expectCode(await list(other.sessions[0], `?limit=1&token=${body.next}`), 400, 'INVALID_CURSOR');
    expect(idsOf(await list(sessions[1] as SignIn, `?token=${body.next}`))).toEqual([sessions[1]?.sessionId]);
  });
});

describe('DELETE /auth/sessions/{session}', () => {
  it('ends that session with its access tokens at once, and no other', async () => {
    const { userId, sessions } = await signedIn(2);
    const [asker, ended] = sessions as [SignIn, SignIn];
    expect(await isAccepted(server.url, ended.accessToken)).toBe(true);
    const answer = await send(server, asker, `DELETE /auth/sessions/${ended.sessionId}`);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: 'true' });
    expect(await isAccepted(server.url, ended.accessToken)).toBe(false);
    expectCode(await refreshWith(server.url, ended.cookie), 401, 'INVALID_TOKEN');
    expect(await isAccepted(server.url, asker.accessToken)).toBe(true);
    const entries = await entriesOf(server, { subject_id: userId, action: 'session.ended' });
    expect(entries).toMatchObject([{ actor_id: userId, detail: { session: ended.sessionId, reason: 'ended' } }]);
  });

  it('ends a session once if twenty ask at the same time', async () => {
    const { userId, sessions } = await signedIn(2);
    const [asker, ended] = sessions as [SignIn, SignIn];
    const statuses = await statusesOf(20, () => send(server, asker, `DELETE /auth/sessions/${ended.sessionId}`));
    expect(statuses).toEqual([200, ...Array(19).fill(404)]);
    expect(await entriesOf(server, { subject_id: userId, action: 'session.ended' })).toHaveLength(1);
  });
});

describe('DELETE /auth/sessions', () => {
  it('ends all the other sessions of the user and leaves that of the request', async () => {
    const { userId, sessions } = await signedIn(3);
    const stranger = (await signedIn(1)).sessions[0];
    const [asker, ...others] = sessions;
    const answer = await send(server, asker, 'DELETE /auth/sessions');
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: 'true' });
    expect(await isAccepted(server.url, asker.accessToken)).toBe(true);
    for (const other of others) expect(await isAccepted(server.url, other.accessToken)).toBe(false);
    expect(await isAccepted(server.url, stranger.accessToken)).toBe(true);
    expect((await send(server, asker, 'DELETE /auth/sessions')).text).toBe('true');
    const ended = await server.orm.em.fork().find(Session, { user_id: userId, ended_at: { $ne: null } });
    expect(ended.map(({ end_reason }) => end_reason)).toEqual(['ended', 'ended']);
    const entries = await entriesOf(server, { subject_id: userId, action: 'session.ended' });
    expect(entries).toMatchObject([{ actor_id: userId, detail: { sessions: 2, reason: 'ended' } }]);
  });

  it('leaves at most one session if all of them ask at the same time, and never fails', async () => {
    const { userId, sessions } = await signedIn(8);
    const answers = await Promise.all(sessions.map((each) => send(server, each, 'DELETE /auth/sessions')));
    for (const { status } of answers) expect([200, 401]).toContain(status);
    expect(await server.orm.em.fork().count(Session, { user_id: userId, ended_at: null })).toBeLessThanOrEqual(1);
  });
});

it('the trail of sessions belongs to the organizations that the user belongs to at the time, in one line for all of them', async () => {
  const { id, email, organizationId } = await insertMember(server.orm);
  await signIn(server.url, email);
  const later = await insertMember(server.orm, { role: 'owner' });
  await insertMembership(server.orm, { organizationId: later.organizationId, userId: id });
  await signIn(server.url, email);
  const entries = await entriesOf(server, { subject_id: id, action: 'session.started' });
  expect(entries.map((each) => [each.organization_id, each.person_id])).toEqual([
    [organizationId, null],
    [null, id],
  ]);
});
