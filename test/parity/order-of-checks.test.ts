import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OrganizationRole } from '../../src/kernel/request.ts';
import { schema } from '../../src/schema/schema.ts';
import { insertEvent, insertSubscription } from '../support/fixtures.ts';
import { invitationsOf } from '../support/guests.ts';
import { holding, untilLocked } from '../support/locks.ts';
import { routesOfTest } from '../support/routes.ts';
import { type Caller, expectCode, graphql, refusalOf, send } from '../support/send.ts';
import { createKey, createTeam, join, type Person, serveTeam } from '../support/server.ts';
import { createWebhook } from '../support/webhooks.ts';
import { facesOf, future, mutate, type WriteFace } from '../support/write-faces.ts';
import { type Operation, operations } from './operations.ts';

const { server, team } = await serveTeam();
const reader = await createKey(server, team.owner, { access: 'read' });
const writer = await createKey(server, team.owner, { access: 'write' });

/** What needs a viewer alone: no role can be in its way. */
const personal = [
  ...['createOrganization', 'acceptInvitation', 'updateProfile', 'changePassword', 'endSession', 'endOtherSessions'],
  ...['eraseViewer', 'deleteOrganization'],
];

it.each(personal)('%s is for no key, whatever its input', async (mutation) => {
  const answer = await mutate(server, writer, mutation, 'clientMutationId', {});
  expect(refusalOf(answer)).toEqual({ code: 'FORBIDDEN', pointers: [] });
});

const roles: OrganizationRole[] = ['member', 'manager', 'owner'];

const other = await createTeam(server);
const event = await insertEvent(server.orm, { organizationId: other.organizationId, status: 1 });
const invited = await invitationsOf(server).invite(other.owner);
/** Objects of another organization, by their place in a path. */
const theirs: Record<string, string> = {
  ...{ sessions: other.owner.sessionId, members: other.owner.membershipId, invitations: invited.body.id },
  ...{ 'api-keys': (await createKey(server, other.owner)).id, events: event.id, deliveries: randomUUIDv7() },
  subscriptions: (await insertSubscription(server.orm, { eventId: event.id, userId: other.member.userId })).id,
  webhooks: (await createWebhook(server, other.owner, { url: 'https://example.org/hook' })).id,
};
const withIds = (path: string, idOf: (place: string) => string | undefined) =>
  path.replace(/([\w-]+)\/\{\w+\}/g, (_, place: string) => `${place}/${idOf(place)}`);

const askRest = async (caller: Caller, request: string, body: unknown) =>
  refusalOf(await send(server, caller, request.replaceAll('{id}', randomUUIDv7()), body));

async function askGraphql(caller: Caller, operation: Operation, input: 'good' | 'bad') {
  const { code, pointers } = refusalOf(await graphql(server, caller, ...operation.graphql(input, randomUUIDv7())));
  return { code, pointers: pointers.map((pointer) => pointer.replace(/\/eq$/, '')) };
}

async function expectBoth(operation: Operation, caller: Caller, input: 'good' | 'bad', code: string | null) {
  const pointers = code === 'VALIDATION_ERROR' || code === 'INVALID_QUERY' ? [operation.pointer] : [];
  for (const { request, ...bodies } of operation.rest) {
    const isInUrl = request.startsWith('GET');
    const path = isInUrl && input === 'good' ? (request.split('?')[0] as string) : request;
    expect(await askRest(caller, path, isInUrl ? undefined : bodies[input]), request).toEqual({ code, pointers });
  }
  expect(await askGraphql(caller, operation, input), operation.mutation).toEqual({ code, pointers });
}

describe.each(operations.map((each) => [each.mutation ?? each.ids[0], each] as const))('%s', (_, operation) => {
  const personOf = (role: OrganizationRole): Person => team[role];
  const below = roles.slice(0, roles.indexOf(operation.least));
  const enough = roles.slice(roles.indexOf(operation.least));
  const inputFault = operation.ids.length > 1 ? 'INVALID_QUERY' : 'VALIDATION_ERROR';
  const inputs = operation.pointer ? (['good', 'bad'] as const) : (['good'] as const);

  it('asks for a sign-in, then for an organization, before all else', async () => {
    for (const input of inputs) {
      await expectBoth(operation, {}, input, 'INVALID_TOKEN');
      const { accessToken } = team.owner;
      await expectBoth(operation, { accessToken }, input, 'ORGANIZATION_REQUIRED');
      const foreign = { accessToken, organizationId: randomUUIDv7() };
      await expectBoth(operation, foreign, input, 'ORGANIZATION_FORBIDDEN');
    }
  });

  if (below.length > 0)
    it('answers FORBIDDEN to viewers who may not run it, for any input and object', async () => {
      for (const role of below) {
        for (const input of inputs) await expectBoth(operation, personOf(role), input, 'FORBIDDEN');
      }
    });

  if (operation.mutation)
    it('answers FORBIDDEN to a key that only reads, for any input and object', async () => {
      for (const input of inputs) await expectBoth(operation, reader, input, 'FORBIDDEN');
    });

  if (operation.people)
    it('answers FORBIDDEN to every key, for any input and object', async () => {
      for (const input of inputs) await expectBoth(operation, writer, input, 'FORBIDDEN');
    });

  if (operation.pointer)
    it('names the fault of the input to who may', async () => {
      for (const role of enough) await expectBoth(operation, personOf(role), 'bad', inputFault);
    });

  if (operation.outcome === 'NOT_FOUND')
    it('looks for the object last', async () => {
      for (const role of enough) await expectBoth(operation, personOf(role), 'good', 'NOT_FOUND');
      const place = operation.rest[0]?.request.split('/{id}').at(-2)?.split('/').at(-1) as string;
      const answer = await graphql(server, team.owner, ...operation.graphql('good', theirs[place] as string));
      expect(refusalOf(answer).code).toBe('NOT_FOUND');
    });
});

it('all of REST but what is public asks for a sign-in; of what needs no header a key has what is said of organizations', async () => {
  const forKeys: string[] = [];
  for (const { method, path, access, operationId } of routesOfTest) {
    if (access !== 'user' && access !== 'organization') continue;
    const request = `${method.toUpperCase()} ${withIds(path, () => randomUUIDv7())}`;
    const body = method === 'get' ? undefined : { where: 'nonsense' };
    expectCode(await send(server, {}, request, body), 401, 'INVALID_TOKEN');
    if (access !== 'user') continue;
    const { code } = refusalOf(await send(server, writer, request, body, { 'idempotency-key': 'not visible' }));
    if (code !== 'FORBIDDEN') forKeys.push(operationId);
  }
  const lists = ['listOrganizations', 'queryOrganizations', 'countOrganizations'];
  expect(forKeys).toEqual([...lists, 'getOwnOrganization', 'getWaitingMails']);
});

describe('an object of another organization', () => {
  const good = Object.fromEntries(
    operations.flatMap(({ ids, rest }) => ids.map((id, index) => [id, rest[index]?.good] as const)),
  );
  // the entries of its answer say the same
  const byItems = 'transitionSubscriptions';
  const places = new RegExp(`^/(${Object.keys(theirs).join('|')}|auth/sessions)/\\{`);
  const routes = routesOfTest.filter(({ path, operationId }) => places.test(path) && operationId !== byItems);

  it.each(routes)('is no other than none to $operationId', async ({ method, path, operationId }) => {
    const request = `${method.toUpperCase()} ${path.replace(/export$/, 'export?format=csv')}`;
    const body = operationId.startsWith('query') ? {} : good[operationId];
    const ask = async (idOf: (place: string) => string | undefined) =>
      expectCode(await send(server, team.owner, withIds(request, idOf), body), 404, 'NOT_FOUND');
    const none = await ask(() => randomUUIDv7());
    expect([await ask((place) => theirs[place]), await ask(() => 'nonsense'), await ask(() => '%zz')]).toEqual(
      Array(3).fill(none),
    );
  });

  it('stays as it was', async () => {
    for (const { method, path } of routes) {
      if (method !== 'get') continue;
      const request = withIds(path.replace(/export$/, 'export?format=csv'), (place) => theirs[place]);
      expect((await send(server, other.owner, `GET ${request}`)).status, request).toBe(200);
    }
    expect((await send(server, other.owner, `DELETE /auth/sessions/${theirs.sessions}`)).status).toBe(200);
  });
});

it('PATCH /members/{member} names the fault of the input before it looks for the object; GraphQL has the roles in its schema', async () => {
  for (const role of ['manager', 'owner'] as const) {
    const answer = await askRest(team[role], 'PATCH /members/{id}', { role: 'x' });
    expect(answer).toEqual({ code: 'VALIDATION_ERROR', pointers: ['/role'] });
  }
  const answer = await askRest(team.member, 'PATCH /members/{id}', { role: 'x' });
  expect(answer).toEqual({ code: 'FORBIDDEN', pointers: [] });
});

it('GET /invitations/{invitation} answers FORBIDDEN to a member before it looks for the invitation; GraphQL has `node`', async () => {
  expect((await askRest(team.member, 'GET /invitations/{id}', undefined)).code).toBe('FORBIDDEN');
  expect((await askRest(team.manager, 'GET /invitations/{id}', undefined)).code).toBe('NOT_FOUND');
});

describe('exports, which GraphQL has not', () => {
  it.each(['GET /events/export', 'GET /events/{id}/subscriptions/export', 'GET /subscriptions/export'])(
    '%s checks role, input, object',
    async (path) => {
      for (const request of [path, `${path}?format=csv`]) {
        expect((await askRest(team.member, request, undefined)).code).toBe('FORBIDDEN');
      }
      for (const role of ['manager', 'owner'] as const) {
        expect(await askRest(team[role], path, undefined)).toEqual({ code: 'INVALID_QUERY', pointers: ['/format'] });
      }
    },
  );
});

it('the operations of operations.ts are all that take a role or change something', () => {
  const restricted = routesOfTest.filter((each) => each.role || each.checked);
  const known = [...operations.flatMap(({ ids }) => ids), ...personal, 'getInvitation', 'getApiKey'];
  // GraphQL has `node`, and lists below it
  known.push('getWebhook', 'listWebhookDeliveries', 'queryWebhookDeliveries', 'countWebhookDeliveries');
  // files and secret addresses, which GraphQL has not
  known.push('exportEvents', 'exportSubscriptions', 'exportOrganizationSubscriptions');
  known.push('renewCalendar', 'endCalendar', 'requestGuestSubscription');
  // the same command by another method
  known.push('eraseViewerByPost', 'deleteOrganizationByPost');
  expect(restricted.map((each) => each.operationId).sort()).toEqual(known.sort());
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const named = [...operations.flatMap(({ mutation }) => mutation ?? []), ...personal];
  expect(mutations.sort()).toEqual(named.sort());
});

/** Holds the locks that writes of events wait for. */
async function hold(event: string) {
  const holder = await holding(server, 'select from event where id = ? for update', [event]);
  await holder.execute(`select pg_advisory_xact_lock(hashtextextended('slugs ' || ?::text, 0))`, [team.organizationId]);
  return holder;
}

type Manager = Parameters<WriteFace['createEvent']>[0];

const writes: [
  string,
  (face: WriteFace, manager: Manager, event: string, row: string) => Promise<{ code: string | null }>,
][] = [
  ['createEvent', (face, manager) => face.createEvent(manager, { name: 'Late', ...future })],
  ['updateEvent', (face, manager, event) => face.updateEvent(manager, event, { name: 'Late' })],
  ['deleteEvent', (face, manager, event) => face.deleteEvent(manager, event)],
  ['duplicateEvent', (face, manager, event) => face.duplicateEvent(manager, event, {})],
  ['a move of a subscription', (face, manager, event, row) => face.move(manager, event, row, { status: 'declined' })],
  ['a move of several', (face, manager, event, row) => face.transition(manager, event, [row], 'declined')],
  ['subscriptions of several', (face, manager, event) => face.bulk(manager, event, [{ user_id: team.member.userId }])],
  [
    'a subscription of somebody',
    (face, manager, event) => face.subscribe(manager, event, { user_id: team.member.userId }),
  ],
];

describe.each(facesOf(server))('by $name', (face) => {
  it.each(writes)('%s that waited for its turn is refused to who has lost the role meanwhile', async (_name, write) => {
    const { organizationId } = team;
    const manager = await join(server, organizationId, 'manager');
    const { id } = await insertEvent(server.orm, { organizationId, status: 1 });
    const holder = await join(server, organizationId, 'member');
    const row = await insertSubscription(server.orm, { eventId: id, userId: holder.userId, status: 'accepted' });
    const lock = await hold(id);
    const written = write(face, manager, id, row.id);
    await untilLocked(server);
    await send(server, team.owner, `PATCH /members/${manager.membershipId}`, { role: 'member' });
    await lock.commit();
    expect((await written).code).toBe('FORBIDDEN');
  });

  it('a write that waits while its key ends gets INVALID_TOKEN, and writes nothing', async () => {
    const { id } = await insertEvent(server.orm, { organizationId: team.organizationId, name: 'Before' });
    const key = await createKey(server, team.owner);
    const lock = await hold(id);
    const written = face.updateEvent({ accessToken: key.secret }, id, { name: 'Late' });
    await untilLocked(server);
    await lock.execute('update api_key set ended_at = now() where id = ?', [key.id]);
    await lock.commit();
    expect((await written).code).toBe('INVALID_TOKEN');
    expect((await send(server, team.owner, `GET /events/${id}`)).body.name).toBe('Before');
  });
});
