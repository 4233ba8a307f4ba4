import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { event, type Fault, faults } from '../support/bad-writes.ts';
import { globalId } from '../support/graphql.ts';
import { pointersOf, send } from '../support/send.ts';
import { join, type Person, serveTeam } from '../support/team.ts';
import { mutate, restFace, toGraphql, type WriteFace } from '../support/write-faces.ts';

// Every bad write has the same code on both faces, and the pointer of its face. What GraphQL's schema refuses already
// (a wrong type, an unknown field or member) is GRAPHQL_VALIDATION_FAILED there.

const ids: Record<string, string> = {};

const { server, team } = await serveTeam();
const other = await join(server, team.organizationId, 'member');
const face: WriteFace = restFace(() => server.url);
const create = async (name: string, fields: object = {}) => {
  const { value } = await face.createEvent(team.manager, { ...event, name, status: 1, slug: name, ...fields });
  ids[name] = value.id;
  return value.id;
};
const subscribe = async (name: string, person: Person, to: string, fields: object = {}) => {
  const { value } = await face.subscribe(team.manager, to, { user_id: person.userId, ...fields });
  ids[name] = value.id;
  return value.id;
};
ids.unknown = randomUUIDv7();
await create('draft', { status: 0 });
await create('empty');
await create('closed', { registration: 'closed' });
const full = await create('full', { capacity: 1, waiting_list: false });
await subscribe('holder', team.member, full);
await subscribe('pending', other, full, { status: 'pending' });
await subscribe('left', team.owner, full, { status: 'pending' });
await face.move(team.manager, full, ids.left as string, { status: 'cancelled' });
await subscribe('again', team.owner, full, { status: 'pending' });
const busy = await create('busy');
await subscribe('present', team.member, busy);
await face.checkIn(team.manager, busy, ids.present as string);
await subscribe('refused', other, busy);
await face.move(team.manager, busy, ids.refused as string, { status: 'declined' });
const cancelled = await create('cancelled');
await subscribe('stranded', team.member, cancelled);
await face.updateEvent(team.manager, cancelled, { status: 2 });
const over = await create('over');
await subscribe('past', team.member, over);
await face.updateEvent(team.manager, over, { date_start: '2020-01-01T00:00:00Z', date_end: '2020-01-02T00:00:00Z' });
const changes = await countChanges();

async function countChanges(): Promise<number> {
  const [row] = await server.execute<{ count: number }>('select count(*)::int as count from subscription_change');
  return row?.count ?? -1;
}

const subscription = '/events/{event}/subscriptions/{id}';
/** How an operation is reached on each face; `{…}` stands for an id. */
const operations = {
  create: { rest: 'POST /events', field: 'createEvent' },
  update: { rest: 'PATCH /events/{id}', field: 'updateEvent', type: 'Event' },
  delete: { rest: 'DELETE /events/{id}', field: 'deleteEvent', type: 'Event' },
  duplicate: { rest: 'POST /events/{id}/duplicate', field: 'duplicateEvent', type: 'Event' },
  subscribe: { rest: 'POST /events/{id}/subscriptions', field: 'subscribeToEvent', object: 'eventId', type: 'Event' },
  bulk: {
    ...{ rest: 'POST /events/{id}/subscriptions/bulk', field: 'subscribeUsersToEvent' },
    ...{ object: 'eventId', type: 'Event' },
  },
  move: { rest: `PATCH ${subscription}`, field: 'updateEventSubscription', type: 'EventSubscription' },
  checkIn: { rest: `POST ${subscription}/check-in`, field: 'checkInEventSubscription', type: 'EventSubscription' },
  undo: { rest: `DELETE ${subscription}/check-in`, field: 'undoCheckIn', type: 'EventSubscription' },
  transition: { rest: 'POST /events/{event}/subscriptions/transition', field: 'updateEventSubscriptions' },
} as const satisfies Record<string, Operation>;

interface Operation {
  rest: string;
  field: string;
  /** The field of the input that names the object, and the type of its global id. */
  object?: string;
  type?: string;
}

function readTarget(at: string) {
  const [name = '', target = ''] = at.split(' ');
  const [object = '', parent = ''] = target.split('@');
  const id = (key: string) => ids[key] ?? key;
  return { operation: operations[name as keyof typeof operations] as Operation, id: id(object), event: id(parent) };
}

const personOf = ({ by }: Fault) => (by === undefined ? team.manager : by === 'other' ? other : team[by]);
const titled = faults.map((fault): [string, Fault] => {
  const body = JSON.stringify(fault.body ?? null);
  return [`${fault.at} ${fault.by ?? ''} ${body.length > 90 ? `${body.slice(0, 90)}…` : body}`, fault];
});

describe('a bad write', () => {
  it.each(titled)('%s', async (_title, fault) => {
    const { operation, id, event: parent } = readTarget(fault.at);
    const { body, code, pointers = [], version } = fault;
    const request = operation.rest.replace('{id}', id).replace('{event}', parent);
    const guard: Record<string, string> = version === undefined ? {} : { 'if-match': `"${version}"` };
    const rest = await send<{ code?: string }>(server, personOf(fault), request, body, guard);
    expect({ code: rest.body.code, pointers: pointersOf(rest).sort() }).toEqual({
      code,
      pointers: [...pointers].sort(),
    });

    const { object = 'id', type, field } = operation;
    for (const reference of type ? [id, globalId(type, id)] : [null]) {
      const items = body?.items as Record<string, unknown>[] | undefined;
      const input = {
        ...toGraphql(body ?? {}),
        ...(items && { items: items.map((each) => toGraphql(each)) }),
        ...(reference === null ? {} : { [object]: reference }),
      };
      const guarded = version === undefined ? input : { ...input, ifVersion: version };
      const answer = await mutate(server, personOf(fault), field, 'clientMutationId', guarded);
      const extensions = answer.errors?.[0]?.extensions;
      if (fault.graphql === 'absent') {
        expect(extensions?.code).not.toBe('VALIDATION_ERROR');
        return;
      }
      const told = {
        code: extensions?.code,
        pointers: (extensions?.errors ?? []).map(({ pointer }) => pointer).sort(),
      };
      const camel = pointers.map((each) => each.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
      if (fault.graphql === 'schema') expect(told).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED', pointers: [] });
      else expect(told).toEqual({ code, pointers: camel.sort() });
    }
  });

  it('writes nothing', async () => {
    expect(await countChanges()).toBe(changes);
    const versions = await server.execute<{ slug: string; version: number }>(
      'select slug, version from event where version > 1 order by slug',
    );
    expect(versions.map(({ slug }) => slug)).toEqual(['cancelled', 'over']);
  });
});
