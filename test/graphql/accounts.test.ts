import { beforeEach, describe, expect, test } from 'vitest';
import { password } from '../support/fixtures.ts';
import { type Caller, expectRefusal, type GraphqlAnswer, globalId, graphql, query } from '../support/send.ts';
import { createTeam, isAccepted, post, serve, serveInTest, signIn, type Team } from '../support/server.ts';
import { mutate } from '../support/write-faces.ts';

const server = await serve();
let team: Team;
beforeEach(async () => {
  team = await createTeam(server);
});

/** The codes and pointers of an operation that ran and failed. */
const faultsOf = ({ errors = [] }: GraphqlAnswer) =>
  errors.map(({ extensions }) => [extensions.code, ...(extensions.errors ?? []).map(({ pointer }) => pointer)]);

describe('sessions', () => {
  const end = (caller: Caller, id: string) =>
    mutate(server, caller, 'endSession', 'endedSessionId clientMutationId', { id, clientMutationId: 'm1' });

  test.each(['id', 'databaseId'])('endSession ends one by its %s, at once', async (kind) => {
    const other = await signIn(server.url, team.member.email);
    expect(await isAccepted(server.url, other.accessToken)).toBe(true);
    const endedSessionId = globalId('Session', other.sessionId);
    const id = kind === 'id' ? endedSessionId : other.sessionId;
    const { data } = await end({ accessToken: team.member.accessToken }, id);
    expect(data).toEqual({ endSession: { endedSessionId, clientMutationId: 'm1' } });
    expect(await isAccepted(server.url, other.accessToken)).toBe(false);
    for (const gone of [id, globalId('Session', team.owner.sessionId)]) {
      expect(faultsOf(await end(team.member, gone))).toEqual([['NOT_FOUND']]);
    }
    expect(await isAccepted(server.url, team.owner.accessToken)).toBe(true);
  });

  test('endOtherSessions leaves the one that asks, and the payload shows it', async () => {
    for (let others = 0; others < 2; others += 1) await signIn(server.url, team.member.email);
    const selection = 'endedCount viewer { sessions { totalCount nodes { current } } }';
    const { accessToken } = team.member;
    const { data } = await mutate(server, { accessToken }, 'endOtherSessions', selection, {});
    const sessions = { totalCount: 1, nodes: [{ current: true }] };
    expect(data).toEqual({ endOtherSessions: { endedCount: 2, viewer: { sessions } } });
  });

  test('changePassword has the refusals of REST, with their pointers', async () => {
    const run = (currentPassword: string, next: string) =>
      mutate(server, team.member, 'changePassword', 'viewer { databaseId }', { currentPassword, password: next });
    const weak = await run(password, 'password123');
    expect(weak.errors?.[0]?.extensions.errors).toMatchObject([{ pointer: '/password', code: 'WEAK_PASSWORD' }]);
    expect(faultsOf(await run('\0', 'short'))).toEqual([['VALIDATION_ERROR', '/currentPassword', '/password']]);
    expect(faultsOf(await run('not the password', 'a further long phrase'))).toEqual([['INVALID_CREDENTIALS']]);
    const changed = await run(password, 'a further long phrase');
    expect(changed.data).toEqual({ changePassword: { viewer: { databaseId: team.member.userId } } });
    await signIn(server.url, team.member.email, 'a further long phrase');
  });

  test('each alias of changePassword is a separate attempt', async () => {
    const { databaseUrl, secrets } = server;
    const limited = await serveInTest({ databaseUrl, secrets, env: { RATE_LIMIT: 'on' } });
    const fields = Array.from(
      { length: 12 },
      (_, index) =>
        `a${index}: changePassword(input: {currentPassword: "${index < 10 ? 'a guess' : password}", password: "a further long phrase"}) { clientMutationId }`,
    );
    const answer = await graphql(limited, team.member, `mutation { ${fields.join(' ')} }`);
    expect(faultsOf(answer)).toEqual([...Array(10).fill(['INVALID_CREDENTIALS']), ['RATE_LIMITED'], ['RATE_LIMITED']]);
    const wait = answer.errors?.at(-1)?.extensions.retry_after;
    expect(wait).toBeGreaterThan(14 * 60);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    // they count with those of signing in
    const { email } = team.member;
    expect((await post(`${limited.url}/auth/login`, { email, password })).status).toBe(429);
  });
});

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
  expectRefusal(await graphql(server, {}, document), 401, 'INVALID_TOKEN');
});

describe('members and invitations', () => {
  const membership = 'membership { id role user { databaseId } }';

  test('updateMemberRole shows the membership, and takes no id of another type', async () => {
    const id = globalId('Membership', team.member.membershipId);
    const { data } = await mutate(server, team.manager, 'updateMemberRole', membership, { id, role: 'MANAGER' });
    const shown = { id, role: 'MANAGER', user: { databaseId: team.member.userId } };
    expect(data).toEqual({ updateMemberRole: { membership: shown } });
    const user = { id: globalId('User', team.member.userId), role: 'MEMBER' };
    const refused = await mutate(server, team.owner, 'updateMemberRole', membership, user);
    expect(faultsOf(refused)).toEqual([['NOT_FOUND']]);
  });

  test('inviteMember shows the invitation, and revokeInvitation ends it', async () => {
    const invited = { email: 'somebody@example.org', role: 'MEMBER' };
    const selection = 'invitation { id email role inviter { databaseId } }';
    const { data } = await mutate(server, team.owner, 'inviteMember', selection, invited);
    const made: { invitation: { id: string } } = data?.inviteMember as never;
    const { id, ...invitation } = made.invitation;
    expect(invitation).toEqual({ ...invited, inviter: { databaseId: team.owner.userId } });
    const revoke = () => mutate(server, team.manager, 'revokeInvitation', 'revokedInvitationId', { id });
    expect((await revoke()).data).toEqual({ revokeInvitation: { revokedInvitationId: id } });
    expect(faultsOf(await revoke())).toEqual([['NOT_FOUND']]);
  });
});

// What only GraphQL has: global ids, null for what is left out, and `clientMutationId`.

const dates = { dateStart: '2127-05-01T10:00:00.000Z', dateEnd: '2127-05-01T12:00:00.000Z' };

/** What a mutation that must not fail answers. */
async function run(caller: Caller, field: string, selection: string, input: Record<string, unknown>) {
  const { data, text } = await mutate(server, caller, field, selection, input);
  if (!data?.[field]) throw new Error(text);
  return data[field] as unknown as Record<'event', { id: string; databaseId: string }> & Record<string, unknown>;
}

test('updateEvent leaves what is null and may not be, and clears the rest', async () => {
  const input = { name: 'Open Day', ...dates, location: 'Hall', capacity: 4, clientMutationId: 'mine' };
  const { event, ...others } = await run(team.manager, 'createEvent', 'clientMutationId event { id }', input);
  expect(others).toEqual({ clientMutationId: 'mine' });
  const selection = 'event { name location capacity version }';
  const cleared = await run(team.manager, 'updateEvent', selection, { id: event.id, name: null, location: null });
  expect(cleared.event).toEqual({ name: 'Open Day', location: null, capacity: 4, version: 2 });
});

test('deleteEvent answers the global id of what was', async () => {
  const input = { name: 'Gone', ...dates };
  const { event } = await run(team.manager, 'createEvent', 'event { id databaseId }', input);
  const deleted = await run(team.manager, 'deleteEvent', 'deletedEventId', { id: event.databaseId });
  expect(deleted).toEqual({ deletedEventId: event.id });
  const { data } = await graphql(server, team.manager, `{ node(id: "${event.id}") { id } }`);
  expect(data).toEqual({ node: null });
});

test('subscribeToEvent takes the global id of a user', async () => {
  const created = { name: 'Us', ...dates, status: 'ACTIVE' };
  const { event } = await run(team.manager, 'createEvent', 'event { id }', created);
  const { userId } = team.member;
  const input = { eventId: event.id, userId: globalId('User', userId), status: 'PENDING' };
  const made = await run(team.manager, 'subscribeToEvent', 'eventSubscription { userDatabaseId status }', input);
  expect(made).toEqual({ eventSubscription: { userDatabaseId: userId, status: 'PENDING' } });
});

test('payloads have edges with the cursors of the lists that they belong to', async () => {
  const { manager, member } = team;
  const edgeOf = (name: string) => `event { id } edge: ${name} { cursor node { id } }`;
  const made = await run(manager, 'createEvent', edgeOf('eventEdge'), { name: 'Edge', ...dates, status: 'ACTIVE' });
  const { id } = made.event;
  const copied = await run(manager, 'duplicateEvent', edgeOf('eventEdge'), { id });
  const all = '{ events { edges { cursor node { id } } } }';
  expect(await query(server, manager, all)).toEqual({ events: { edges: [made.edge, copied.edge] } });

  const subscribed = await run(member, 'subscribeToEvent', edgeOf('eventSubscriptionEdge'), { eventId: id });
  expect(subscribed.event).toEqual({ id });
  const ofEvent = 'query ($id: ID!) { event(id: $id) { subscriptions { edges { cursor node { id } } } } }';
  const { edge: own } = subscribed;
  expect(await query(server, manager, ofEvent, { id })).toEqual({ event: { subscriptions: { edges: [own] } } });
});
