import { sql } from 'kysely';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { built, PostgresDatabase } from '#postgres-access';
import { canGrant, grants } from '../../src/domain/organization/membership.policy.ts';
import { type OrganizationRole, organizationRoles } from '../../src/kernel/request.ts';
import { entriesOf } from '../support/fixtures.ts';
import { invitationsOf, newAddress, settleMails } from '../support/guests.ts';
import { expectCode, graphql, send } from '../support/send.ts';
import { createTeam, join, type Person, serve, type Team } from '../support/server.ts';

const server = await serve();
let team: Team;
beforeEach(async () => {
  team = await createTeam(server);
});

const { invite, invitee, pending, roleOf: roleIn } = invitationsOf(server);
const roleOf = (userId: string) => roleIn(userId, team.organizationId);
const listed = async (by: Person) =>
  (await send<{ items: { email: string }[] }>(server, by, 'GET /invitations')).body.items.map(({ email }) =>
    email.toLowerCase(),
  );
type Invitee = Awaited<ReturnType<typeof invitee>>;

const accept = {
  async rest({ accessToken, token }: Invitee) {
    const { status, body } = await send<{ code?: string }>(server, { accessToken }, 'POST /invitations/accept', {
      token,
    });
    return status === 200 ? null : body.code;
  },
  async graphql({ accessToken, token }: Invitee) {
    const document = 'mutation ($token: String!) { acceptInvitation(input: {token: $token}) { organization { id } } }';
    return (await graphql(server, { accessToken }, document, { token })).errors?.[0]?.extensions.code ?? null;
  },
};
const faces = ['rest', 'graphql'] as const;
const change = (by: Person, of: Person, role: OrganizationRole) =>
  send(server, by, `PATCH /members/${of.membershipId}`, { role });
const remove = (by: Person, of: Person) => send(server, by, `DELETE /members/${of.membershipId}`);

test('what a role may give is the same in SQL as in code', async () => {
  for (const actor of organizationRoles) {
    for (const role of organizationRoles) {
      const found = await new PostgresDatabase(server.orm).row(
        built(sql<{ may: boolean }>`select ${grants(sql`${actor}::text`, sql`${role}::text`)} as may`),
      );
      expect([actor, role, found?.may]).toEqual([actor, role, canGrant(actor, role)]);
    }
  }
});

describe.each(faces)('an invitation, accepted by %s', (face) => {
  it('ends when its inviter is removed, leaves, or may no longer give the role', async () => {
    const ends: [string, OrganizationRole, OrganizationRole, (inviter: Person) => Promise<unknown>][] = [
      ['removed', 'manager', 'manager', (inviter) => remove(team.owner, inviter)],
      ['leaves', 'manager', 'member', (inviter) => remove(inviter, inviter)],
      ['demoted to member', 'manager', 'member', (inviter) => change(team.owner, inviter, 'member')],
      ['demoted to manager', 'owner', 'owner', (inviter) => change(team.owner, inviter, 'manager')],
    ];
    for (const [name, inviterRole, role, end] of ends) {
      const inviter = await join(server, team.organizationId, inviterRole);
      const invited = await invitee(inviter, role);
      await end(inviter);
      expect(await pending(invited.email), name).toBe(0);
      expect(await listed(team.owner), name).not.toContain(invited.email);
      expect(await accept[face](invited), name).toBe('INVALID_INVITATION_TOKEN');
      expect(await roleOf(invited.userId), name).toBeNull();
    }
  });

  it('stays while its inviter may still give the role', async () => {
    const inviter = await join(server, team.organizationId, 'owner');
    const invited = await invitee(inviter, 'manager');
    await change(team.owner, inviter, 'manager');
    expect(await listed(team.owner)).toContain(invited.email);
    expect(await accept[face](invited)).toBeNull();
    expect(await roleOf(invited.userId)).toBe('manager');
  });

  it('ends also by a change that no command made: it is not listed, not accepted, nor in the way of another', async () => {
    const inviter = await join(server, team.organizationId, 'owner');
    const invited = await invitee(inviter, 'owner');
    const em = server.orm.em.fork();
    await em.execute(`update membership set role = 'member' where id = ?`, [inviter.membershipId]);
    expect(await listed(team.manager)).not.toContain(invited.email);
    expect(await accept[face](invited)).toBe('INVALID_INVITATION_TOKEN');
    expectCode(await send(server, team.owner, `DELETE /invitations/${invited.invitation.id}`), 404, 'NOT_FOUND');
    expect((await invite(team.manager, invited.email, 'member')).status).toBe(201);
    await em.execute(`update membership set role = 'owner' where id = ?`, [inviter.membershipId]);
    expect(await accept[face](invited)).toBe('INVALID_INVITATION_TOKEN');
  });

  it('ends with the account of its inviter', async () => {
    const inviter = await join(server, team.organizationId, 'manager');
    const invited = await invitee(inviter, 'member');
    await server.execute('delete from "user" where id = ?', [inviter.userId]);
    expect(await listed(team.owner)).not.toContain(invited.email);
    expect(await accept[face](invited)).toBe('INVALID_INVITATION_TOKEN');
  });

  it('makes no manager beside a removal of its inviter at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const inviter = await join(server, team.organizationId, 'manager');
      const invited = await invitee(inviter, 'manager');
      const [code] = await Promise.all([accept[face](invited), remove(team.owner, inviter)]);
      const entries = await entriesOf(server, {
        organization_id: team.organizationId,
        subject_id: { $in: [invited.userId, inviter.userId] },
        action: { $in: ['invitation.accepted', 'member.removed'] },
      });
      const order = entries.map(({ action }) => action);
      // whichever was first: nobody comes in by an inviter who is out
      expect(order).toEqual(code === null ? ['invitation.accepted', 'member.removed'] : ['member.removed']);
      expect(await roleOf(invited.userId)).toBe(code === null ? 'manager' : null);
    }
  });
});

describe('a manager', () => {
  it('neither replaces nor revokes an invitation to be owner', async () => {
    const invited = await invitee(team.owner, 'owner');
    const again =
      'mutation ($email: String!) { inviteMember(input: {email: $email, role: MEMBER}) { invitation { id } } }';
    expectCode(await invite(team.manager, invited.email.toUpperCase(), 'member'), 403, 'FORBIDDEN');
    const { errors } = await graphql(server, team.manager, again, { email: invited.email });
    expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expectCode(await send(server, team.manager, `DELETE /invitations/${invited.invitation.id}`), 403, 'FORBIDDEN');
    expect(await accept.rest(invited)).toBeNull();
    expect(await roleOf(invited.userId)).toBe('owner');
  });

  it('replaces one to be manager, and one to be owner that is over', async () => {
    const email = newAddress();
    await invite(team.owner, email, 'manager');
    expect((await invite(team.manager, email, 'member')).status).toBe(201);
    const late = newAddress();
    const { id } = (await invite(team.owner, late, 'owner')).body;
    await server.execute('update invitation set expires_at = now() where id = ?', [id]);
    expect((await invite(team.manager, late, 'member')).status).toBe(201);
  });
});

it('the trail records how many invitations ended with a membership', async () => {
  const inviter = await join(server, team.organizationId, 'manager');
  for (const role of ['member', 'manager'] as const) await invite(inviter, newAddress(), role);
  const over = (await invite(inviter, newAddress(), 'member')).body.id;
  await server.execute('update invitation set expires_at = now() where id = ?', [over]);
  await settleMails(server);
  await remove(team.owner, inviter);
  const [entry] = await entriesOf(server, { action: 'member.removed', subject_id: inviter.userId });
  expect(entry?.detail).toEqual({ role: 'manager', invitations_ended: 2 });
});
