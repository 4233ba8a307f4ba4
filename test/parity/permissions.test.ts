import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { subscriptionStatuses } from '../../src/domain/subscription/subscription.entity.ts';
import { camelCase } from '../../src/schema/relay/dialect.ts';
import { insertEvent, insertSubscription, insertUser } from '../support/fixtures.ts';
import { type Caller, globalId, query, send } from '../support/send.ts';
import { createKey, serveTeam } from '../support/server.ts';

// What `viewer_can` says is what the operation then answers (reference/events.md#what-the-viewer-can-do).

const { server, team } = await serveTeam();
const { organizationId } = team;
const viewers = {
  member: team.member,
  manager: team.manager,
  owner: team.owner,
  key: await createKey(server, team.owner),
  'member key': await createKey(server, team.owner, { role: 'member' }),
  'reading key': await createKey(server, team.owner, { access: 'read' }),
} satisfies Record<string, Caller>;
const people = { member: team.member, manager: team.manager, owner: team.owner };
const hour = 3_600_000;

interface Permission {
  allowed: boolean;
  code: string | null;
}
type Permissions = Record<string, Permission>;

const selectionOf = (names: readonly string[]) =>
  `viewerCan { ${names.map((name) => `${name}: ${camelCase(name)} { allowed code }`).join(' ')} }`;

/** What both APIs say, in lists and of one row. */
async function permissionsOf(
  caller: Caller,
  { path, list, field, type, id }: Record<'path' | 'list' | 'field' | 'type' | 'id', string>,
  names: readonly string[],
): Promise<Permissions> {
  const one = await send<{ viewer_can: Permissions }>(server, caller, `GET ${path}?fields=viewer_can`);
  expect(one.status, one.text).toBe(200);
  const where = encodeURIComponent(JSON.stringify({ id }));
  const page = await send<{ items: object[] }>(server, caller, `GET ${list}?fields=viewer_can&where=${where}`);
  const answer = await query<Record<string, { nodes: object[] } | object>>(
    server,
    caller,
    `query ($id: ID!, $node: ID!) {
      ${field}(where: {id: {eq: $id}}) { nodes { ${selectionOf(names)} } } node(id: $node) { ... on ${type} { ${selectionOf(names)} } }
    }`,
    { id, node: globalId(type, id) },
  );
  const permissions = one.body.viewer_can;
  expect(page.body.items).toEqual([{ viewer_can: permissions }]);
  expect(answer).toEqual({ [field]: { nodes: [{ viewerCan: permissions }] }, node: { viewerCan: permissions } });
  for (const { allowed, code } of Object.values(permissions)) expect(allowed).toBe(code === null);
  return permissions;
}

async function codeOf(caller: Caller, request: string, body?: object): Promise<string | null> {
  const answer = await send<{ code?: string }>(server, caller, request, body);
  return answer.status < 300 ? null : (answer.body.code ?? answer.text);
}

const eventState = {
  status: fc.constantFrom(0, 1, 1, 1, 2, 3),
  capacity: fc.constantFrom(null, 0, 1, 2),
  registration: fc.constantFrom('open' as const, 'open' as const, 'approval' as const, 'closed' as const),
  waitingList: fc.boolean(),
  isOver: fc.boolean(),
  asks: fc.boolean(),
  others: fc.array(fc.constantFrom(...subscriptionStatuses), { maxLength: 2 }),
};

async function makeEvent(
  state: {
    [Name in keyof typeof eventState]: (typeof eventState)[Name] extends fc.Arbitrary<infer Value> ? Value : never;
  },
): Promise<string> {
  const dateStart = new Date(Date.now() + (state.isOver ? -48 : 48) * hour);
  const { capacity, registration } = state;
  const { id } = await insertEvent(server.orm, { organizationId, dateStart, status: 1, capacity, registration });
  if (state.asks) {
    const questions = [{ key: 'diet', type: 'text', label: 'Diet', required: true }];
    expect(await codeOf(team.manager, `PUT /events/${id}/form`, { questions })).toBeNull();
  }
  for (const status of state.others) {
    const { id: userId } = await insertUser(server.orm, { password: null });
    await insertSubscription(server.orm, { eventId: id, userId, status });
  }
  await server.execute('update event set status = ?, waiting_list = ? where id = ?', [
    state.status,
    state.waitingList,
    id,
  ]);
  return id;
}

const answers = { diet: 'none' };

describe('viewer_can of an event', () => {
  const names = ['subscribe', 'update', 'cancel', 'delete'];

  it('says what each operation then answers, for any viewer and state', async () => {
    const seen = new Set<string>();
    const example = fc.record({
      ...eventState,
      viewer: fc.constantFrom(...(Object.keys(viewers) as (keyof typeof viewers)[])),
      own: fc.array(fc.constantFrom('declined' as const, 'cancelled' as const), { maxLength: 2 }),
      live: fc.constantFrom(null, null, null, 'pending' as const, 'accepted' as const, 'waitlisted' as const),
      operation: fc.constantFrom(...names),
    });
    await fc.assert(
      fc.asyncProperty(example, async ({ viewer, own, live, operation, ...state }) => {
        const id = await makeEvent(state);
        const caller = viewers[viewer];
        if ('userId' in caller) {
          for (const status of [...own, ...(live ? [live] : [])]) {
            await insertSubscription(server.orm, { eventId: id, userId: caller.userId, status });
          }
        }
        const isVisible = state.status !== 0 || !/member/.test(viewer);
        const path = `/events/${id}`;
        if (!isVisible) {
          expect(await codeOf(caller, `GET ${path}`)).toBe('NOT_FOUND');
          return;
        }
        const place = { path, list: '/events', field: 'events', type: 'Event', id };
        const permissions = await permissionsOf(caller, place, names);
        const operations: Record<string, () => Promise<string | null>> = {
          subscribe: () => codeOf(caller, `POST ${path}/subscriptions`, state.asks ? { answers } : {}),
          update: () => codeOf(caller, `PATCH ${path}`, { name: 'Other' }),
          cancel: () => codeOf(caller, `PATCH ${path}`, { status: 2 }),
          delete: () => codeOf(caller, `DELETE ${path}`),
        };
        expect(permissions[operation]?.code).toBe(await operations[operation]?.());
        seen.add(`${operation} ${permissions[operation]?.code}`);
      }),
      { numRuns: 150 },
    );
    // the states meet more than one answer
    expect(seen.size).toBeGreaterThan(6);
  });
});

describe('viewer_can of a subscription', () => {
  const names = ['cancel', 'answer', 'check_in'];

  it('says what each operation then answers, for any viewer and state', async () => {
    const seen = new Set<string>();
    const example = fc.record({
      ...eventState,
      holder: fc.constantFrom(...(Object.keys(people) as (keyof typeof people)[])),
      viewer: fc.constantFrom('holder' as const, 'manager' as const, 'key' as const, 'reading key' as const),
      own: fc.constantFrom(...subscriptionStatuses),
      checkedIn: fc.boolean(),
      operation: fc.constantFrom(...names),
    });
    await fc.assert(
      fc.asyncProperty(example, async ({ holder, viewer, own, checkedIn, operation, ...state }) => {
        const eventId = await makeEvent(state);
        const { userId } = people[holder];
        const checkedInAt = checkedIn ? new Date() : null;
        const { id } = await insertSubscription(server.orm, { eventId, userId, status: own, checkedInAt });
        const caller = viewer === 'holder' ? people[holder] : viewers[viewer];
        const path = `/events/${eventId}/subscriptions/${id}`;
        if (state.status === 0 && viewer === 'holder' && holder === 'member') {
          expect(await codeOf(caller, `GET ${path}`)).toBe('NOT_FOUND');
          return;
        }
        const list = '/subscriptions';
        const place = { path, list, field: 'eventSubscriptions', type: 'EventSubscription', id };
        const permissions = await permissionsOf(caller, place, names);
        const operations: Record<string, () => Promise<string | null>> = {
          cancel: () => codeOf(caller, `PATCH ${path}`, { status: 'cancelled' }),
          answer: () => codeOf(caller, `PATCH ${path}`, { answers: state.asks ? answers : null }),
          check_in: () => codeOf(caller, `POST ${path}/check-in`),
        };
        expect(permissions[operation]?.code).toBe(await operations[operation]?.());
        seen.add(`${operation} ${permissions[operation]?.code}`);
      }),
      { numRuns: 120 },
    );
    expect(seen.size).toBeGreaterThan(5);
  });
});
