import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { password } from '../support/fixtures.ts';
import { holding, untilLocked } from '../support/locks.ts';
import { expectCode, type Page, send, trailOf } from '../support/send.ts';
import { createKey, createTeam, post, refreshWith, serveInTest, serveTeam, signIn } from '../support/server.ts';
import { pathOf, subscribing } from '../support/subscribing.ts';

const { server, team } = await serveTeam();

const read = (where: object) => trailOf(server, team.owner, where);

describe('GET /audit', () => {
  it('shows owners sign-ins, refusals, refresh reuse and sign-outs of members: who, what, when, from where', async () => {
    const { email, userId } = team.member;
    const since = new Date().toISOString();
    const refused = await post(`${server.url}/auth/login`, { email, password: 'wrong password' });
    const session = await signIn(server.url, email);
    await refreshWith(server.url, session.cookie);
    await server.execute(`update session set rotated_at = now() - interval '1 hour' where id = ?`, [session.sessionId]);
    await refreshWith(server.url, session.cookie);
    const last = await signIn(server.url, email);
    await post(`${server.url}/auth/logout`, undefined, { cookie: last.cookie });

    const entries = await read({ subject_id: userId, created_at: { $gte: since } });
    expect(entries.map(({ action }) => action)).toEqual([
      'session.refused',
      'session.started',
      'session.refresh_reused',
      'session.started',
      'session.ended',
    ]);
    expect(entries[0]).toEqual({
      id: expect.any(String),
      action: 'session.refused',
      actor_id: null,
      subject_id: userId,
      detail: { reason: 'wrong_password' },
      ip: expect.stringMatching(/127\.0\.0\.1$/),
      user_agent: 'node',
      request_id: refused.headers.get('x-request-id'),
      created_at: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(entries[1]).toMatchObject({ actor_id: userId, detail: { session: session.sessionId } });
    expect(entries[4]).toMatchObject({ actor_id: userId, detail: { reason: 'logout' } });
  });

  it('tells of changes of roles, invitations, passwords and profiles', async () => {
    const since = new Date().toISOString();
    await send(server, team.owner, `PATCH /members/${team.manager.membershipId}`, { role: 'member' });
    await send(server, team.owner, `PATCH /members/${team.manager.membershipId}`, { role: 'manager' });
    const invited = await send(server, team.owner, 'POST /invitations', { email: 'a@example.org', role: 'member' });
    await send(server, team.owner, `DELETE /invitations/${invited.body.id}`);
    await send(server, team.manager, 'PATCH /auth/me', { name: 'Another' });
    const passwords = { current_password: password, password: 'a further long phrase' };
    await send(server, team.manager, 'POST /auth/change-password', passwords);
    await send(server, team.owner, 'PATCH /organization', { name: 'Renamed' });
    const entries = await read({ created_at: { $gte: since } });
    expect(entries.map(({ action, actor_id: actor }) => [action, actor])).toEqual([
      ['member.role_changed', team.owner.userId],
      ['member.role_changed', team.owner.userId],
      ['invitation.created', team.owner.userId],
      ['invitation.revoked', team.owner.userId],
      ['profile.changed', team.manager.userId],
      ['password.changed', team.manager.userId],
      ['organization.changed', team.owner.userId],
    ]);
    expect(JSON.stringify(entries)).not.toContain('phrase');
  });

  it('is in the order in which things happened, though a write may have waited for another', async () => {
    const other = await createTeam(server);
    const em = await holding(server, 'select from organization where id = ? for no key update', [other.organizationId]);
    const renamed = send(server, other.owner, 'PATCH /organization', { name: 'Renamed' });
    await untilLocked(server);
    await subscribing(server, other).event();
    await em.rollback();
    expect((await renamed).status).toBe(200);
    const { body } = await send<Page>(server, other.owner, 'GET /audit?sort=-1&limit=2');
    expect(body.items.map(({ action }) => action)).toEqual(['organization.changed', 'event.created']);
  });
});

type Item = Record<string, unknown>;
type Exported = Record<'memberships' | 'subscriptions' | 'sessions' | 'audit_entries', Item[]>;

describe('GET /auth/export', () => {
  it('is everything about the viewer as one document, and nothing about others', async () => {
    const team = await createTeam(server);
    const { member, manager, owner } = team;
    const { event, ask, subscribe } = subscribing(server, team);
    const to = await event();
    await ask(to, 'diet');
    const secret = randomUUIDv7();
    const { body: row } = await subscribe(member, to, { answers: { diet: secret } });
    await send(server, manager, `POST ${pathOf(row)}/check-in`);
    await subscribe(owner, to, { answers: { diet: 'of the owner' } });
    const { status, headers, text, body: exported } = await send<Exported>(server, member, 'GET /auth/export');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="account-/);
    expect(exported.memberships).toMatchObject([{ organization: { id: team.organizationId }, role: 'member' }]);
    expect(exported.subscriptions).toMatchObject([
      {
        ...{ id: row.id, status: 'accepted', answers: { diet: secret }, form_version: 1 },
        event: { id: to.id, name: 'Open Day', date_start: to.date_start },
        changes: [
          { kind: 'status', status_from: null, status_to: 'accepted', by_self: true },
          { kind: 'check_in', status_from: 'accepted', status_to: 'accepted', by_self: false },
        ],
      },
    ]);
    expect(exported.sessions).toMatchObject([{ id: member.sessionId, user_agent: 'node', ended_at: null }]);
    // from one moment, before its own entry
    expect(exported.audit_entries.map(({ action }) => action)).toEqual(['session.started']);
    for (const entry of exported.audit_entries) expect(entry).not.toHaveProperty('detail');
    for (const other of [manager, owner]) {
      expect(text).not.toContain(other.userId);
      expect(text).not.toContain(other.email);
    }
    expect(text).not.toContain('of the owner');
    expect(text).not.toContain('argon2');
    expect(await trailOf(server, owner, { action: 'user.exported' })).toMatchObject([
      { actor_id: member.userId, subject_id: member.userId },
    ]);
    expect((await send(server, member, 'HEAD /auth/export')).text).toBe('');
  });

  it('is given at most three times an hour', async () => {
    const limited = await serveInTest({ env: { RATE_LIMIT: 'on' } });
    const { member, manager } = await createTeam(limited);
    for (let count = 0; count < 3; count += 1)
      expect((await send(limited, member, 'GET /auth/export')).status).toBe(200);
    const refused = await send(limited, member, 'GET /auth/export');
    expectCode(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await send(limited, manager, 'GET /auth/export')).status).toBe(200);
  });
});

describe('GET /organizations/{organization}/export', () => {
  it('is for owners, by their own sign-in, and needs no header', async () => {
    const team = await createTeam(server);
    const path = `/organizations/${team.organizationId}/export`;
    for (const person of [team.manager, team.member])
      expectCode(await send(server, person, `GET ${path}`), 403, 'FORBIDDEN');
    const other = await createTeam(server);
    const unknown = [
      await send(server, other.owner, `GET ${path}`),
      await send(server, team.owner, `GET /organizations/${randomUUIDv7()}/export`),
      await send(server, team.owner, 'GET /organizations/nonsense/export'),
    ];
    expect(new Set(unknown.map((answer) => expectCode(answer, 404, 'NOT_FOUND'))).size).toBe(1);
    const own = { accessToken: team.owner.accessToken };
    const { status, headers, body } = await send<{ memberships: Item[] }>(server, own, `GET ${path}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="organization-/);
    expect(body.memberships).toHaveLength(3);
    expect(await trailOf(server, team.owner, { action: 'organization.exported' })).toMatchObject([
      { actor_id: team.owner.userId },
    ]);
  });

  it('has no user of a key, whatever it did', async () => {
    const team = await createTeam(server);
    const key = await createKey(server, team.owner, { name: 'Robot' });
    const { event, subscribe } = subscribing(server, { ...team, manager: { ...team.manager, ...key } });
    await subscribe({ ...team.manager, ...key }, await event(), { user_id: team.member.userId });
    const path = `GET /organizations/${team.organizationId}/export`;
    const { body } = await send<{ users: Item[]; changes: Item[] }>(server, team.owner, path);
    expect(body.users.map(({ name }) => name)).not.toContain('Robot');
    expect(body.changes).toMatchObject([{ actor_id: key.id, status_to: 'accepted' }]);
  });
});
