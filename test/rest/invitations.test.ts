import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { entriesOf, insertUser } from '../support/fixtures.ts';
import { invitationsOf, mailsTo, newAddress, settleMails, tokenOf } from '../support/guests.ts';
import { expectCode, type Page, send, statusesOf } from '../support/send.ts';
import { createTeam, serve, type Team } from '../support/server.ts';

const server = await serve();
let team: Team;
beforeEach(async () => {
  team = await createTeam(server);
});

const { invite, accept, invitee: inviteeOf, pending, roleOf: roleIn } = invitationsOf(server);
const invitee = (role?: OrganizationRole) => inviteeOf(team.owner, role);
const roleOf = (userId: string) => roleIn(userId, team.organizationId);

describe('POST /invitations', () => {
  it('answers the same whether or not the address has an account, and mails a link to either', async () => {
    const known = (await insertUser(server.orm)).email;
    const bodies = [];
    for (const email of [known, newAddress()]) {
      const answer = await invite(team.manager, email);
      expect(answer.status).toBe(201);
      expect(answer.headers.get('location')).toBe(`/invitations/${answer.body.id}`);
      const shown = await send(server, team.manager, `GET ${answer.headers.get('location')}`);
      // the mail may have left meanwhile
      expect([shown.status, { ...shown.body, mailed_at: null }]).toEqual([200, answer.body]);
      bodies.push({ ...answer.body, email: '', id: '', created_at: '', expires_at: '' });
      const days = (Date.parse(answer.body.expires_at) - Date.parse(answer.body.created_at)) / 86_400_000;
      expect(days).toBe(7);
      const [mail] = await mailsTo(server, email);
      expect(mail?.text).toContain('http://events.test/invitation?token=');
      expect(mail?.text).toContain('A manager invites you');
      expect(answer.text).not.toContain(tokenOf(mail as { text: string }));
    }
    expect(bodies[0]).toEqual(bodies[1]);
    expect(bodies[0]).toMatchObject({ role: 'member', inviter_id: team.manager.userId });
  });

  const cases: [OrganizationRole, OrganizationRole, number][] = [
    ['owner', 'owner', 201],
    ['owner', 'manager', 201],
    ['manager', 'manager', 201],
    ['manager', 'member', 201],
    ['manager', 'owner', 403],
    ['member', 'member', 403],
  ];
  it.each(cases)('by the %s as %s: %i', async (by, role, status) => {
    const email = newAddress();
    expect((await invite(team[by], email, role)).status).toBe(status);
    expect(await pending(email)).toBe(status === 201 ? 1 : 0);
  });

  it('refuses an address that already belongs to a member, in any case', async () => {
    expectCode(await invite(team.owner, team.member.email.toUpperCase()), 409, 'CONFLICT');
  });

  it('ends an older invitation of the same address and organization, and no other', async () => {
    const first = await invitee('manager');
    await invite(team.owner, first.email);
    const other = await createTeam(server);
    await invite(other.owner, first.email);
    expect(await pending(first.email)).toBe(2);
    await settleMails(server);
    expectCode(await accept(first, first.token), 400, 'INVALID_INVITATION_TOKEN');
    expect(await roleOf(first.userId)).toBeNull();
  });

  it('leaves one invitation if twenty invite the same address at the same time', async () => {
    const email = newAddress();
    expect(await statusesOf(20, () => invite(team.owner, email))).toEqual(Array(20).fill(201));
    expect(await pending(email)).toBe(1);
  });
});

it('GET /invitations lists those that can be accepted to managers, by the query language', async () => {
  const emails = [newAddress(), newAddress(), newAddress()];
  const ids: string[] = [];
  for (const email of emails) ids.push((await invite(team.owner, email)).body.id);
  await server.execute('update invitation set expires_at = now() where id = ?', [ids[0] as string]);
  const { body } = await send<Page>(server, team.manager, 'GET /invitations?sort=-1');
  expect(body.items.map((each) => each.email)).toEqual([emails[2], emails[1]]);
  expect((await send(server, team.manager, 'GET /invitations/count')).body).toBe(2);
});

describe('DELETE /invitations/{invitation}', () => {
  it('invalidates the token', async () => {
    const { accessToken, userId, token, invitation } = await invitee();
    const answer = await send(server, team.manager, `DELETE /invitations/${invitation.id}`);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: 'true' });
    expectCode(await accept({ accessToken }, token), 400, 'INVALID_INVITATION_TOKEN');
    expect(await roleOf(userId)).toBeNull();
    expectCode(await send(server, team.manager, `DELETE /invitations/${invitation.id}`), 404, 'NOT_FOUND');
  });
});

describe('POST /invitations/accept', () => {
  it('joins with the role of the invitation at once, answers the organization, and is in the trail', async () => {
    const { accessToken, userId, token, invitation } = await invitee('manager');
    // nor does whoever checks links use it up
    for (const method of ['GET', 'HEAD']) await send(server, {}, `${method} /invitation?token=${token}`);
    const scoped = { accessToken, organizationId: team.organizationId };
    expectCode(await send(server, scoped, 'GET /events'), 403, 'ORGANIZATION_FORBIDDEN');
    const answer = await accept({ accessToken }, token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: team.organizationId, role: 'manager' });
    expect((await send(server, scoped, 'GET /events')).status).toBe(200);
    expect(await roleOf(userId)).toBe('manager');
    const entries = await entriesOf(server, { action: 'invitation.accepted', subject_id: userId });
    expect(entries).toMatchObject([
      {
        organization_id: team.organizationId,
        actor_id: userId,
        detail: { invitation: invitation.id, role: 'manager' },
      },
    ]);
  });

  it('gets the same answer for a token that is unknown, used, expired, revoked or for another address', async () => {
    const { accessToken, token } = await invitee();
    const other = await invitee();
    const late = await invitee();
    await server.execute('update invitation set expires_at = now() where id = ?', [late.invitation.id]);
    expect((await accept({ accessToken }, token)).status).toBe(200);
    const refused = await Promise.all([
      accept({ accessToken }, token),
      accept({ accessToken }, other.token),
      accept(late, late.token),
      accept({ accessToken }, randomBytes(32).toString('base64url')),
      accept({ accessToken }, ''),
    ]);
    const texts = refused.map((answer) => expectCode(answer, 400, 'INVALID_INVITATION_TOKEN'));
    expect(new Set(texts).size).toBe(1);
    // a token in wrong hands is not lost
    expect((await accept(other, other.token)).status).toBe(200);
  });

  it('joins once if twenty accept at the same time', async () => {
    const { accessToken, userId, token } = await invitee();
    expect(await statusesOf(20, () => accept({ accessToken }, token))).toEqual([200, ...Array(19).fill(400)]);
    expect(await server.orm.em.fork().count(Membership, { user_id: userId })).toBe(1);
  });

  it('keeps the role of an existing member', async () => {
    const { accessToken, userId, token } = await invitee('member');
    const em = server.orm.em.fork();
    em.create(Membership, { organization_id: team.organizationId, user_id: userId, role: 'owner' });
    await em.flush();
    expect((await accept({ accessToken }, token)).body).toMatchObject({ role: 'owner' });
    expect(await roleOf(userId)).toBe('owner');
  });

  it('reports errors of the body', async () => {
    const answer = await send(server, { accessToken: team.member.accessToken }, 'POST /invitations/accept', { t: 1 });
    expectCode(answer, 400, 'VALIDATION_ERROR', ['/t', '/token']);
  });
});
