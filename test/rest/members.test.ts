import { randomUUIDv7 } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { entriesOf } from '../support/fixtures.ts';
import { expectCode, type Page, send, statusesOf } from '../support/send.ts';
import { createTeam, join, type Person, serve, serveInTest, type Team } from '../support/server.ts';

let team: Team;
const server = await serve();
beforeEach(async () => {
  team = await createTeam(server);
});

type MemberList = Page<Record<'id' | 'role', string>>;

const roleOf = async ({ membershipId }: Person) =>
  (await server.orm.em.fork().findOne(Membership, membershipId))?.role ?? null;
const change = (by: Person, of: { membershipId: string }, role: unknown) =>
  send(server, by, `PATCH /members/${of.membershipId}`, { role });
const remove = (by: Person, of: { membershipId: string }) => send(server, by, `DELETE /members/${of.membershipId}`);

describe('GET /members', () => {
  it.each(['owner', 'manager'] as const)('shows every member to the %s, oldest first', async (role) => {
    const { body } = await send<MemberList>(server, team[role], 'GET /members');
    expect(body.items.map((each) => each.id)).toEqual(
      [team.owner, team.manager, team.member].map((each) => each.membershipId),
    );
    expect((await send(server, team[role], 'GET /members/count')).body).toBe(3);
  });

  it('shows a member only their own membership, in the list, the count and one by one', async () => {
    const { body } = await send<MemberList>(server, team.member, 'GET /members');
    expect(body.items.map((each) => each.id)).toEqual([team.member.membershipId]);
    expect((await send(server, team.member, 'GET /members/count')).body).toBe(1);
    expect((await send(server, team.member, `GET /members/${team.member.membershipId}`)).status).toBe(200);
    expectCode(await send(server, team.member, `GET /members/${team.owner.membershipId}`), 404, 'NOT_FOUND');
  });

  it('includes the users, whose addresses managers see', async () => {
    const path = 'GET /members?include=user&fields=role';
    const { body } = await send<MemberList>(server, team.manager, path);
    const { userId, email } = team.owner;
    expect(body.items[0]).toEqual({
      role: 'owner',
      user: { id: userId, name: 'A owner', avatar_url: null, email },
    });
    const own = await send<MemberList>(server, team.member, path);
    expect(own.body.items).toEqual([
      { role: 'member', user: { id: team.member.userId, name: 'A member', avatar_url: null } },
    ]);
  });
});

describe('PATCH /members/{member}', () => {
  const cases: [OrganizationRole, OrganizationRole, OrganizationRole, 200 | 403][] = [
    ['owner', 'member', 'owner', 200],
    ['owner', 'member', 'manager', 200],
    ['owner', 'manager', 'member', 200],
    ['manager', 'member', 'manager', 200],
    ['manager', 'manager', 'member', 200],
    ['manager', 'member', 'owner', 403],
    ['manager', 'manager', 'owner', 403],
    ['manager', 'owner', 'member', 403],
  ];
  it.each(cases)('by the %s, of the %s to %s: %i', async (by, of, role, status) => {
    const answer = await change(team[by], team[of], role);
    expect(answer.status).toBe(status);
    expect(await roleOf(team[of])).toBe(status === 200 ? role : of);
    if (status === 200) expect(answer.body).toMatchObject({ id: team[of].membershipId, role });
  });

  it('holds from the next request on, and is in the trail', async () => {
    expect((await send(server, team.manager, 'GET /invitations')).status).toBe(200);
    await change(team.owner, team.manager, 'member');
    expectCode(await send(server, team.manager, 'GET /invitations'), 403, 'FORBIDDEN');
    const entries = await entriesOf(server, { action: 'member.role_changed', organization_id: team.organizationId });
    expect(entries).toMatchObject([
      { actor_id: team.owner.userId, subject_id: team.manager.userId, detail: { from: 'manager', to: 'member' } },
    ]);
  });

  it('refuses to leave the organization without an owner', async () => {
    expectCode(await change(team.owner, team.owner, 'member'), 409, 'CONFLICT');
    expect(await roleOf(team.owner)).toBe('owner');
    await change(team.owner, team.manager, 'owner');
    expect((await change(team.owner, team.owner, 'member')).status).toBe(200);
  });

  it('changes and writes nothing if the role is the same', async () => {
    expect((await change(team.owner, team.owner, 'owner')).status).toBe(200);
    const written = { action: 'member.role_changed', organization_id: team.organizationId };
    expect(await entriesOf(server, written)).toEqual([]);
  });

  it.each<[string, (first: Person, second: Person) => ReturnType<typeof change>[], number]>([
    ['demote each other', (...two) => two.map((by, index) => change(by, two[1 - index] as Person, 'member')), 403],
    ['step down', (first, second) => [change(first, first, 'member'), remove(second, second)], 409],
  ])('leaves one owner if two %s at the same time', async (_title, ask, refusal) => {
    for (let round = 0; round < 10; round += 1) {
      const { organizationId, owner: first } = await createTeam(server);
      const second = await join(server, organizationId, 'owner');
      const answers = await Promise.all(ask(first, second));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, refusal]);
      const owners = await server.orm.em.fork().count(Membership, { organization_id: organizationId, role: 'owner' });
      expect(owners).toBe(1);
    }
  });
});

describe('DELETE /members/{member}', () => {
  const cases: [OrganizationRole, OrganizationRole, 200 | 403 | 404 | 409][] = [
    ['owner', 'manager', 200],
    ['owner', 'member', 200],
    ['owner', 'owner', 409],
    ['manager', 'manager', 200],
    ['manager', 'member', 200],
    ['manager', 'owner', 403],
    ['member', 'member', 200],
    ['member', 'owner', 404],
  ];
  it.each(cases)('by the %s, of the %s: %i', async (by, of, status) => {
    const answer = await remove(team[by], team[of]);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.text).toBe('true');
    expect(await roleOf(team[of])).toBe(status === 200 ? null : of);
  });

  it('is in the trail as what it was: removed, or left', async () => {
    await remove(team.owner, team.member);
    await remove(team.manager, team.manager);
    const where = { organization_id: team.organizationId, action: { $in: ['member.removed', 'member.left'] } };
    const entries = await entriesOf(server, where);
    expect(entries).toMatchObject([
      {
        action: 'member.removed',
        actor_id: team.owner.userId,
        subject_id: team.member.userId,
        detail: { role: 'member' },
      },
      { action: 'member.left', actor_id: team.manager.userId, subject_id: team.manager.userId },
    ]);
  });

  it('holds from the very next request on, and within five seconds on another server', async () => {
    const other = await serveInTest({ databaseUrl: server.databaseUrl, secrets: server.secrets });
    expect((await send(server, team.member, 'GET /events')).status).toBe(200);
    expect((await send(other, team.member, 'GET /events')).status).toBe(200);
    await remove(team.owner, team.member);
    const refused = expectCode(await send(server, team.member, 'GET /events'), 403, 'ORGANIZATION_FORBIDDEN');
    const elsewhere = () => send(other, team.member, 'GET /events');
    await expect.poll(async () => (await elsewhere()).status, { timeout: 5_000 }).toBe(403);
    // byte for byte what an organization that does not exist gives
    const unknown = await send(server, { ...team.member, organizationId: randomUUIDv7() }, 'GET /events');
    expect(expectCode(await elsewhere(), 403, 'ORGANIZATION_FORBIDDEN')).toBe(refused);
    expect(expectCode(unknown, 403, 'ORGANIZATION_FORBIDDEN')).toBe(refused);
    expect((await send(server, team.member, 'GET /auth/me')).status).toBe(200);
  });

  it('removes a member once if twenty ask at the same time', async () => {
    expect(await statusesOf(20, () => remove(team.owner, team.member))).toEqual([200, ...Array(19).fill(404)]);
  });
});
