import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { camelCase } from '../../src/schema/relay/dialect.ts';
import { event, type Fault, faults } from '../support/bad-writes.ts';
import { globalId, type Refusal, refusalOf, send } from '../support/send.ts';
import { join, type Person, serveTeam } from '../support/server.ts';
import { guardOf, inputOf, mutate, requestOf, restFace, writes } from '../support/write-faces.ts';

// Every bad write has the same code on both faces, and the pointer of its face. What GraphQL's schema refuses already
// (a wrong type, an unknown field or member) is GRAPHQL_VALIDATION_FAILED there.

const ids: Record<string, string> = {};

const { server, team } = await serveTeam();
const other = await join(server, team.organizationId, 'member');
const face = restFace(server);
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

function readTarget(at: string) {
  const [name = '', target = ''] = at.split(' ');
  const [object = '', parent = ''] = target.split('@');
  const id = (key: string) => ids[key] ?? key;
  return { write: writes[name as keyof typeof writes], id: id(object), event: id(parent) };
}

const personOf = ({ by }: Fault) => (by === undefined ? team.manager : by === 'other' ? other : team[by]);
const titled = faults.map((fault): [string, Fault] => {
  const body = JSON.stringify(fault.body ?? null);
  return [`${fault.at} ${fault.by ?? ''} ${body.length > 90 ? `${body.slice(0, 90)}…` : body}`, fault];
});

const sorted = ({ code, pointers }: Refusal): Refusal => ({ code, pointers: pointers.toSorted() });

describe('a bad write', () => {
  it.each(titled)('%s', async (_title, fault) => {
    const { write, ...place } = readTarget(fault.at);
    const { body = {}, code, pointers = [], version } = fault;
    const rest = await send(server, personOf(fault), requestOf(write, place), fault.body, guardOf(fault));
    expect(sorted(refusalOf(rest))).toEqual(sorted({ code, pointers }));

    const { id } = place;
    for (const reference of write.object ? [id, globalId(write.object[1], id)] : [id]) {
      const input = inputOf(write, { id: reference, fields: body }, version);
      const answer = await mutate(server, personOf(fault), write.mutation, 'clientMutationId', input);
      const told = sorted(refusalOf(answer));
      if (fault.graphql === 'absent') {
        expect(told.code).not.toBe('VALIDATION_ERROR');
        return;
      }
      if (fault.graphql === 'schema') expect(told).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED', pointers: [] });
      else expect(told).toEqual(sorted({ code, pointers: pointers.map(camelCase) }));
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
