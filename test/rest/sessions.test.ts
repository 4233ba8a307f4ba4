import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Session } from '../../src/domain/session/session.table.ts';
import { insertMember, insertMembership, insertUser } from '../support/fixtures.ts';
import { expectCode, type Page, send, statusesOf } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { isAccepted, refreshWith, type SignIn, signIn } from '../support/sign-in.ts';
import { entriesOf } from '../support/trail.ts';

const server = await serve();

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

  it('shows and filters by the fields of a session alone', async () => {
    const [asker] = (await signedIn(1)).sessions;
    const shown = await list(asker, '?fields=current%20id');
    expect(shown.body.items).toEqual([{ id: asker.sessionId, current: true }]);
    expectCode(await list(asker, `?where=${encodeURIComponent('{"ip":"::1"}')}`), 400, 'INVALID_QUERY', ['/where/ip']);
  });

  it('binds cursors to the viewer', async () => {
    const { sessions } = await signedIn(2);
    const other = await signedIn(2);
    const { body } = await list(sessions[0], '?limit=1');
    expectCode(await list(other.sessions[0], `?limit=1&token=${body.next}`), 400, 'INVALID_CURSOR');
    expect(idsOf(await list(sessions[1] as SignIn, `?token=${body.next}`))).toEqual([sessions[1]?.sessionId]);
  });

  it('needs a sign-in and no organization', async () => {
    for (const request of ['GET /auth/sessions', 'GET /auth/sessions/count', 'DELETE /auth/sessions'])
      expectCode(await send(server, {}, request), 401, 'INVALID_TOKEN');
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

  it("answers the same 404 to what is another's, ended, unknown or no id, and ends nothing", async () => {
    const { sessions } = await signedIn(2);
    const [asker, ended] = sessions as [SignIn, SignIn];
    const stranger = (await signedIn(1)).sessions[0];
    await send(server, asker, `DELETE /auth/sessions/${ended.sessionId}`);
    const refused = await Promise.all(
      [stranger.sessionId, ended.sessionId, randomUUIDv7(), 'current', `${asker.sessionId}x`].map(async (id) =>
        expectCode(await send(server, asker, `DELETE /auth/sessions/${id}`), 404, 'NOT_FOUND'),
      ),
    );
    expect(new Set(refused).size).toBe(1);
    expect(await isAccepted(server.url, stranger.accessToken)).toBe(true);
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
