import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertUser, password } from '../support/fixtures.ts';
import { holding, untilLocked } from '../support/locks.ts';
import { graphql, type Page, send } from '../support/send.ts';
import { createTeam, post, refreshWith, serveTeam, signIn } from '../support/server.ts';
import { subscribing } from '../support/subscribing.ts';
import { trailOf } from '../support/trail.ts';

const { server, team } = await serveTeam();

interface Entry {
  id: string;
  action: string;
  actor_id: string | null;
  subject_id: string | null;
  detail: Record<string, unknown> | null;
  request_id: string;
}

const read = (where: object) => trailOf<Entry>(server, team.owner, where);

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

  it('filters by the request that the log names, in both APIs', async () => {
    const event = { name: 'Traced', date_start: '2031-01-01T10:00:00Z', date_end: '2031-01-01T11:00:00Z' };
    const made = await send<{ id: string }>(server, team.owner, 'POST /events', event);
    const requestId = made.headers.get('x-request-id');
    const found = { action: 'event.created', subject_id: made.body.id, request_id: requestId };
    expect(await read({ request_id: requestId })).toEqual([expect.objectContaining(found)]);
    expect(await read({ request_id: { $in: [requestId, 'another'] }, action: 'session.started' })).toEqual([]);
    const document = `query ($id: String!) {
      organization { auditEntries(where: { requestId: { eq: $id } }) { totalCount nodes { action requestId } } } }`;
    const { data } = await graphql(server, team.owner, document, { id: requestId });
    expect(data).toEqual({
      organization: { auditEntries: { totalCount: 1, nodes: [{ action: 'EVENT_CREATED', requestId }] } },
    });
  });

  it('shows nothing of others: not of strangers, not of before a person joined', async () => {
    const other = await createTeam(server);
    const stranger = await insertUser(server.orm);
    await signIn(server.url, stranger.email);
    const { body } = await send<Page<Entry>>(server, other.owner, 'GET /audit?limit=50');
    const known = [other.owner.userId, other.manager.userId, other.member.userId];
    expect(body.items.length).toBeGreaterThan(2);
    for (const entry of body.items) expect(known).toContain(entry.subject_id);
    expect(await read({ subject_id: { $in: [...known, stranger.id, randomUUIDv7()] } })).toEqual([]);
  });

  it('is in the order in which things happened, though a write may have waited for another', async () => {
    const other = await createTeam(server);
    const em = await holding(server, 'select from organization where id = ? for no key update', [other.organizationId]);
    const renamed = send(server, other.owner, 'PATCH /organization', { name: 'Renamed' });
    await untilLocked(server);
    await subscribing(server, other).event();
    await em.rollback();
    expect((await renamed).status).toBe(200);
    const { body } = await send<Page<Entry>>(server, other.owner, 'GET /audit?sort=-1&limit=2');
    expect(body.items.map(({ action }) => action)).toEqual(['organization.changed', 'event.created']);
  });
});
