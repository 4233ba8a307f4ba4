import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Caller, callerHeaders } from '../support/graphql.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { pathOf, subscribing } from '../support/subscribing.ts';
import { createTeam } from '../support/team.ts';
import { trailOf } from '../support/trail.ts';

const server = await serve();
const limited = await serve({ env: { RATE_LIMIT: 'on' } });

type Item = Record<string, unknown>;
interface Exported {
  profile: Item;
  memberships: Item[];
  subscriptions: (Item & { changes: Item[] })[];
  sessions: Item[];
  audit_entries: Item[];
}

async function download(at: { url: string }, caller: Caller, path: string, method = 'GET') {
  const response = await fetch(`${at.url}${path}`, { method, headers: callerHeaders(caller) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

describe('GET /auth/export', () => {
  it('is everything about the viewer as one document, and nothing about others', async () => {
    const team = await createTeam(server);
    const { member, manager, owner } = team;
    const { event, ask, subscribe } = subscribing(server, team);
    const to = await event();
    await ask(to, 'diet');
    const secret = randomUUIDv7();
    const { body } = await subscribe(member, to, { answers: { diet: secret } });
    await send(server, manager, `POST ${pathOf(body)}/check-in`);
    await subscribe(owner, to, { answers: { diet: 'of the owner' } });
    const { status, headers, text } = await download(server, member, '/auth/export');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="account-/);
    const exported = JSON.parse(text) as Exported;
    expect(exported.profile).toMatchObject({ id: member.userId, email: member.email, name: 'A member' });
    expect(exported.memberships).toMatchObject([{ organization: { id: team.organizationId }, role: 'member' }]);
    expect(exported.subscriptions).toMatchObject([
      {
        ...{ id: body.id, status: 'accepted', answers: { diet: secret }, form_version: 1 },
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
    expect((await download(server, member, '/auth/export', 'HEAD')).text).toBe('');
  });

  it('is for the signed-in, and at most three times an hour', async () => {
    expectCode(await send(server, {}, 'GET /auth/export'), 401, 'INVALID_TOKEN');
    const { member, manager } = await createTeam(limited);
    for (let count = 0; count < 3; count += 1)
      expect((await download(limited, member, '/auth/export')).status).toBe(200);
    const refused = await send(limited, member, 'GET /auth/export');
    expectCode(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await download(limited, manager, '/auth/export')).status).toBe(200);
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
    expectCode(await send(server, {}, `GET ${path}`), 401, 'INVALID_TOKEN');
    const key = await send<{ secret: string }>(server, team.owner, 'POST /api-keys', { name: 'K', role: 'manager' });
    expectCode(await send(server, { accessToken: key.body.secret }, `GET ${path}`), 403, 'FORBIDDEN');
    expectCode(await send(server, { accessToken: key.body.secret }, 'GET /auth/export'), 403, 'FORBIDDEN');
    const { status, headers, text } = await download(server, { accessToken: team.owner.accessToken }, path);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="organization-/);
    expect((JSON.parse(text) as { memberships: Item[] }).memberships).toHaveLength(3);
    expect(await trailOf(server, team.owner, { action: 'organization.exported' })).toMatchObject([
      { actor_id: team.owner.userId },
    ]);
  });

  it('has no user of a key, whatever it did', async () => {
    const team = await createTeam(server);
    const key = await send<{ id: string; secret: string }>(server, team.owner, 'POST /api-keys', {
      ...{ name: 'Robot', role: 'manager', access: 'write' },
    });
    const robot = { ...team.manager, accessToken: key.body.secret };
    const { event, subscribe } = subscribing(server, { ...team, manager: robot });
    await subscribe(robot, await event(), { user_id: team.member.userId });
    const { text } = await download(server, team.owner, `/organizations/${team.organizationId}/export`);
    const { users, changes } = JSON.parse(text) as { users: Item[]; changes: Item[] };
    expect(users.map(({ name }) => name)).not.toContain('Robot');
    expect(changes).toMatchObject([{ actor_id: key.body.id, status_to: 'accepted' }]);
  });
});
