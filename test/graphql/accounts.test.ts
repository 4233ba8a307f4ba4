import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Caller, globalId, graphql, query } from '../support/graphql.ts';
import { send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam } from '../support/team.ts';

const server = await shared(startTestServer());
const team = await createTeam(server);

const codesOf = async (caller: Caller, document: string, variables?: Record<string, unknown>) => {
  const { data, errors = [] } = await graphql(server, caller, document, variables);
  return { data, codes: errors.map(({ extensions }) => extensions.code) };
};

describe('viewer.sessions', () => {
  test('shows every field of REST, without an organization', async () => {
    const { accessToken, sessionId } = team.member;
    const document = `{ viewer { sessions(where: {createdAt: {gt: "2020-01-01T00:00:00Z"}}) { totalCount nodes {
      id databaseId createdAt lastUsedAt expiresAt ip userAgent current
    } } } }`;
    type Answer = { viewer: { sessions: { totalCount: number; nodes: Record<string, unknown>[] } } };
    const { viewer } = await query<Answer>(server, { accessToken }, document);
    const rest = await send<{ items: Record<string, unknown>[] }>(server, { accessToken }, 'GET /auth/sessions');
    const [row] = rest.body.items;
    expect(viewer.sessions.totalCount).toBe(1);
    expect(viewer.sessions.nodes).toEqual([
      {
        id: globalId('Session', sessionId),
        databaseId: sessionId,
        createdAt: row?.created_at,
        lastUsedAt: row?.last_used_at,
        expiresAt: row?.expires_at,
        ip: row?.ip,
        userAgent: 'node',
        current: true,
      },
    ]);
  });
});

describe('organization', () => {
  test('auditEntries are for owners, invitations for managers; the rest of the answer stays', async () => {
    const document = '{ organization { name auditEntries { totalCount } invitations { nodes { email } } } }';
    const name = 'An organization';
    const owner = await codesOf(team.owner, document);
    expect(owner).toMatchObject({ codes: [], data: { organization: { name, invitations: { nodes: [] } } } });
    expect(await codesOf(team.manager, document)).toEqual({
      codes: ['FORBIDDEN'],
      data: { organization: { name, auditEntries: null, invitations: { nodes: [] } } },
    });
    expect((await codesOf(team.member, document)).codes).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  });

  test('data of an organization can only be read in that organization', async () => {
    const document = '{ viewer { memberships { organization { name members { totalCount } } } } }';
    const other = await createTeam(server);
    const { accessToken } = team.owner;
    const unscoped = await codesOf({ accessToken }, document);
    expect(unscoped.codes).toEqual(['ORGANIZATION_REQUIRED']);
    expect(unscoped.data).toMatchObject({ viewer: { memberships: [{ organization: { members: null } }] } });
    expect(
      (await codesOf({ accessToken, organizationId: other.organizationId }, '{ organization { name } }')).codes,
    ).toEqual(['ORGANIZATION_FORBIDDEN']);
  });
});

describe('node', () => {
  const document = 'query ($id: ID!) { node(id: $id) { __typename id } }';

  test('finds sessions, memberships, invitations and entries for those who may see them', async () => {
    const invited = await send(server, team.owner, 'POST /invitations', { email: 'n@example.org', role: 'member' });
    const audit = await send<{ items: { id: string }[] }>(server, team.owner, 'GET /audit?limit=1');
    const other = await createTeam(server);
    const cases: [string, string, Caller[], Caller[]][] = [
      ['Session', team.member.sessionId, [team.member], [team.owner, team.manager]],
      ['Membership', team.member.membershipId, [team.member, team.manager], [other.owner]],
      ['Membership', team.owner.membershipId, [team.owner, team.manager], [team.member, other.owner]],
      ['Invitation', String(invited.body.id), [team.owner, team.manager], [team.member, other.owner]],
      ['AuditEntry', String(audit.body.items[0]?.id), [team.owner], [team.manager, team.member, other.owner]],
    ];
    for (const [type, uuid, seeing, blind] of cases) {
      const id = globalId(type, uuid);
      for (const caller of seeing) {
        expect(await query(server, caller, document, { id }), type).toEqual({ node: { __typename: type, id } });
      }
      for (const caller of [...blind])
        expect(await query(server, caller, document, { id }), type).toEqual({ node: null });
    }
    expect(await query(server, team.owner, document, { id: globalId('Session', randomUUIDv7()) })).toEqual({
      node: null,
    });
  });
});
