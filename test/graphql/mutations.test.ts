import { randomUUIDv7 } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import { insertUser, password } from '../support/fixtures.ts';
import { expectRefusal, type GraphqlAnswer, globalId, graphql, query } from '../support/graphql.ts';
import { mailsTo, tokenOf } from '../support/mail.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { isAccepted, signIn } from '../support/sign-in.ts';
import { createTeam, type Team } from '../support/team.ts';

const server = await shared(startTestServer());
let team: Team;
beforeEach(async () => {
  team = await createTeam(server);
});

/** The codes and pointers of an operation that ran and failed. */
const faultsOf = ({ errors = [] }: GraphqlAnswer) =>
  errors.map(({ extensions }) => [extensions.code, ...(extensions.errors ?? []).map(({ pointer }) => pointer)]);

describe('sessions', () => {
  const document = `mutation ($id: ID!) { endSession(input: {id: $id, clientMutationId: "m1"}) { endedSessionId clientMutationId } }`;

  test.each(['id', 'databaseId'])('endSession ends one by its %s, at once', async (kind) => {
    const other = await signIn(server.url, team.member.email);
    expect(await isAccepted(server.url, other.accessToken)).toBe(true);
    const id = kind === 'id' ? globalId('Session', other.sessionId) : other.sessionId;
    const { accessToken } = team.member;
    expect(await query(server, { accessToken }, document, { id })).toEqual({
      endSession: { endedSessionId: globalId('Session', other.sessionId), clientMutationId: 'm1' },
    });
    expect(await isAccepted(server.url, other.accessToken)).toBe(false);
    expect(faultsOf(await graphql(server, team.member, document, { id }))).toEqual([['NOT_FOUND']]);
    const foreign = globalId('Session', team.owner.sessionId);
    expect(faultsOf(await graphql(server, team.member, document, { id: foreign }))).toEqual([['NOT_FOUND']]);
    expect(await isAccepted(server.url, team.owner.accessToken)).toBe(true);
  });

  test('endOtherSessions leaves the one that asks, and the payload shows it', async () => {
    await signIn(server.url, team.member.email);
    await signIn(server.url, team.member.email);
    const answer = await query(
      server,
      { accessToken: team.member.accessToken },
      'mutation { endOtherSessions(input: {}) { endedCount viewer { sessions { totalCount nodes { current } } } } }',
    );
    const sessions = { totalCount: 1, nodes: [{ current: true }] };
    expect(answer).toEqual({ endOtherSessions: { endedCount: 2, viewer: { sessions } } });
  });

  test('changePassword has the refusals of REST, with their pointers', async () => {
    const change = `mutation ($now: String!, $next: String!) {
      changePassword(input: {currentPassword: $now, password: $next}) { viewer { databaseId } }
    }`;
    const run = (now: string, next: string) => graphql(server, team.member, change, { now, next });
    const weak = await run(password, 'password123');
    expect(weak.errors?.[0]?.extensions.errors).toMatchObject([{ pointer: '/password', code: 'WEAK_PASSWORD' }]);
    expect(faultsOf(await run('\0', 'short'))).toEqual([['VALIDATION_ERROR', '/currentPassword', '/password']]);
    expect(faultsOf(await run('not the password', 'a further long phrase'))).toEqual([['INVALID_CREDENTIALS']]);
    const changed = await run(password, 'a further long phrase');
    expect(changed.data).toEqual({ changePassword: { viewer: { databaseId: team.member.userId } } });
    await signIn(server.url, team.member.email, 'a further long phrase');
  });
});

describe('profile', () => {
  test('updateProfile shows the new name, also if one operation changes it twice', async () => {
    const document = `mutation {
      first: updateProfile(input: {name: " Grace "}) { ...name }
      bad: updateProfile(input: {name: ""}) { ...name }
      second: updateProfile(input: {name: "Hopper"}) { ...name }
    } fragment name on UpdateProfilePayload { viewer { name } }`;
    const answer = await graphql(server, team.member, document);
    expect(answer.data).toEqual({
      first: { viewer: { name: 'Grace' } },
      bad: null,
      second: { viewer: { name: 'Hopper' } },
    });
    expect(faultsOf(answer)).toEqual([['VALIDATION_ERROR', '/name']]);
  });
});

describe('organizations and members', () => {
  test('createOrganization needs no organization and makes the viewer its owner', async () => {
    const { accessToken } = team.member;
    const document =
      'mutation ($name: String!) { createOrganization(input: {name: $name}) { organization { databaseId name signup } } }';
    type Created = { createOrganization: { organization: { databaseId: string } } };
    const { createOrganization } = await query<Created>(server, { accessToken }, document, { name: 'Made' });
    expect(createOrganization.organization).toMatchObject({ name: 'Made', signup: 'OPEN' });
    const organization = createOrganization.organization.databaseId;
    const membership = await server.orm.em.fork().findOneOrFail(Membership, { organization_id: organization });
    expect(membership).toMatchObject({ role: 'owner', user_id: team.member.userId });
  });

  const update = `mutation ($id: ID!, $role: OrganizationRole!) {
    updateMemberRole(input: {id: $id, role: $role}) { membership { id role user { databaseId } } }
  }`;

  test('updateMemberRole follows the rules of REST', async () => {
    const id = globalId('Membership', team.member.membershipId);
    const membership = { id, role: 'MANAGER', user: { databaseId: team.member.userId } };
    const variables = { id, role: 'MANAGER' };
    expect(await query(server, team.manager, update, variables)).toEqual({ updateMemberRole: { membership } });
    const run = async (by: 'manager' | 'owner', of: string, role: string) =>
      faultsOf(await graphql(server, team[by], update, { id: of, role }));
    expect(await run('manager', team.owner.membershipId, 'MEMBER')).toEqual([['FORBIDDEN']]);
    expect(await run('owner', team.owner.membershipId, 'MEMBER')).toEqual([['CONFLICT']]);
    expect(await run('owner', randomUUIDv7(), 'MEMBER')).toEqual([['NOT_FOUND']]);
    expect(await run('owner', globalId('User', team.member.userId), 'MEMBER')).toEqual([['NOT_FOUND']]);
  });

  test('removeMember takes effect with the next request', async () => {
    const document = 'mutation ($id: ID!) { removeMember(input: {id: $id}) { removedMembershipId } }';
    const id = globalId('Membership', team.member.membershipId);
    expect(await query(server, team.owner, document, { id })).toEqual({ removeMember: { removedMembershipId: id } });
    expectRefusal(await graphql(server, team.member, '{ events { totalCount } }'), 403, 'ORGANIZATION_FORBIDDEN');
    expect(faultsOf(await graphql(server, team.owner, document, { id }))).toEqual([['NOT_FOUND']]);
  });
});

describe('invitations', () => {
  const invite = `mutation ($email: String!, $role: OrganizationRole!) {
    inviteMember(input: {email: $email, role: $role}) { invitation { id databaseId email role inviter { databaseId } } }
  }`;
  type Invited = { inviteMember: { invitation: { id: string } } };

  test('inviteMember, acceptInvitation: from a mail to a role', async () => {
    const { email } = await insertUser(server.orm);
    const { inviteMember } = await query<Invited>(server, team.manager, invite, { email, role: 'MANAGER' });
    expect(inviteMember.invitation).toMatchObject({
      email,
      role: 'MANAGER',
      inviter: { databaseId: team.manager.userId },
    });
    const [mail] = await mailsTo(server, email);
    const token = tokenOf(mail as { text: string });
    const { accessToken } = await signIn(server.url, email);
    const accept =
      'mutation ($token: String!) { acceptInvitation(input: {token: $token}) { organization { databaseId } } }';
    expect(await query(server, { accessToken }, accept, { token })).toEqual({
      acceptInvitation: { organization: { databaseId: team.organizationId } },
    });
    const again = await graphql(server, { accessToken }, accept, { token });
    expect(faultsOf(again)).toEqual([['INVALID_INVITATION_TOKEN']]);
  });

  test('inviteMember refuses what REST refuses', async () => {
    const run = async (by: 'manager' | 'member', email: string, role: string) =>
      faultsOf(await graphql(server, team[by], invite, { email, role }));
    for (const address of ['nobody', '<a@example.org>', 'x<victim@example.org>']) {
      expect(await run('manager', address, 'MEMBER')).toEqual([['VALIDATION_ERROR', '/email']]);
    }
    expect(await run('manager', 'a@example.org', 'OWNER')).toEqual([['FORBIDDEN']]);
    expect(await run('member', 'a@example.org', 'MEMBER')).toEqual([['FORBIDDEN']]);
    expect(await run('manager', team.owner.email, 'MEMBER')).toEqual([['CONFLICT']]);
  });

  test('revokeInvitation ends one', async () => {
    const variables = { email: 'somebody@example.org', role: 'MEMBER' };
    const { inviteMember } = await query<Invited>(server, team.owner, invite, variables);
    const { id } = inviteMember.invitation;
    const document = 'mutation ($id: ID!) { revokeInvitation(input: {id: $id}) { revokedInvitationId } }';
    const answer = await query(server, team.manager, document, { id });
    expect(answer).toEqual({ revokeInvitation: { revokedInvitationId: id } });
    expect(faultsOf(await graphql(server, team.manager, document, { id }))).toEqual([['NOT_FOUND']]);
  });
});

describe('who may run a mutation', () => {
  const document = 'mutation { updateProfile(input: {name: "Ada"}) { viewer { name } } }';

  test('nobody who is not signed in, or not in the organization that it needs', async () => {
    expectRefusal(await graphql(server, {}, document), 401, 'INVALID_TOKEN');
    const scoped = 'mutation { removeMember(input: {id: "x"}) { removedMembershipId } }';
    const { accessToken } = team.owner;
    expectRefusal(await graphql(server, { accessToken }, scoped), 400, 'ORGANIZATION_REQUIRED');
    const foreign = { accessToken, organizationId: randomUUIDv7() };
    expectRefusal(await graphql(server, foreign, scoped), 403, 'ORGANIZATION_FORBIDDEN');
  });

  test('each alias is a separate attempt', async () => {
    const limited = await startTestServer({
      databaseUrl: server.databaseUrl,
      secrets: server.secrets,
      env: { RATE_LIMIT: 'on' },
    });
    const fields = Array.from(
      { length: 12 },
      (_, index) =>
        `a${index}: changePassword(input: {currentPassword: "guess number ${index}", password: "a further long phrase"}) { clientMutationId }`,
    );
    const answer = await graphql(limited, team.member, `mutation { ${fields.join(' ')} }`);
    expect(faultsOf(answer)).toEqual([...Array(10).fill(['INVALID_CREDENTIALS']), ['RATE_LIMITED'], ['RATE_LIMITED']]);
    const wait = answer.errors?.at(-1)?.extensions.retry_after;
    expect(wait).toBeGreaterThan(14 * 60);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    await limited.close();
  });
});
