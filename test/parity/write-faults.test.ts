import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { camelCase } from '../../src/schema/relay/dialect.ts';
import { settleMails } from '../support/guests.ts';
import { globalId, type Refusal, refusalOf, send } from '../support/send.ts';
import { join, type Person, serveTeam } from '../support/server.ts';
import { future, guardOf, inputOf, mutate, requestOf, restFace, writes } from '../support/write-faces.ts';

// Every bad write has the same code on both faces, and the pointer of its face. What GraphQL's schema refuses already
// (a wrong type, an unknown field or member) is GRAPHQL_VALIDATION_FAILED there.

/** The fields that a new event must have. */
const event = { name: 'Open Day', ...future };

/** A write that is refused, on both faces. */
interface Fault {
  /** `operation object@event`, by the names of the fixtures. */
  at: string;
  body?: Record<string, unknown>;
  code: string;
  /** In the words of REST. */
  pointers?: string[];
  /** Whether the schema of GraphQL refuses it; `absent` if it is no fault there, because null is absent. */
  graphql?: 'schema' | 'absent';
  by?: 'member' | 'other' | 'owner';
  /** The version that is guarded. */
  version?: number;
}

const invalid = (at: string, body: Record<string, unknown>, ...pointers: string[]): Fault => ({
  at,
  body,
  code: 'VALIDATION_ERROR',
  pointers,
});
const bySchema = (fault: Fault): Fault => ({ ...fault, graphql: 'schema' });
const absent = (fault: Fault): Fault => ({ ...fault, graphql: 'absent' });
const long = (length: number) => 'x'.repeat(length);
const uuid = '019b7739-16c4-713d-922e-37c3d4317409';

/** Values that a field of an event cannot have. */
const refused: Record<string, unknown[]> = {
  name: ['', ' \t ', 'a\u0007b', 'a\u0000b', 'half \ud83d pair'],
  slug: ['Not A Slug', '', long(81), uuid, ...'a--b -a count query events form export calendar new'.split(' ')],
  description: ['a\u0000b'],
  location: [' ', 'a\nb'],
  timezone: ['+02:00', 'Mars/Olympus', ''],
  capacity: [-1, 1_000_001],
  date_start: ['1899-12-31T23:59:59Z'],
};
/** Those that the schema of GraphQL refuses. */
const refusedBySchema: Record<string, unknown[]> = {
  ...{ name: [7], capacity: [1.5, '5', 4_294_967_296], status: [9], waiting_list: ['yes'] },
  ...{ date_start: ['2127-02-30T10:00:00Z'], date_end: ['2127-05-01 12:00'] },
  ...{ visibility: ['secret'], registration: ['maybe'], version: [3], accepted_count: [3] },
};

const several = { name: '', slug: '', capacity: -1, timezone: 'x' };

/** Faults of single fields, wherever an event is written. */
function eventFaults(at: string, base: object = {}): Fault[] {
  const each = (values: Record<string, unknown[]>) =>
    Object.entries(values).flatMap(([field, wrong]) =>
      wrong.map((value) => invalid(at, { ...base, [field]: value }, `/${field}`)),
    );
  return [
    ...each(refused),
    invalid(at, { ...base, date_start: '2127-01-02T00:00:00Z', date_end: '2127-01-01T00:00:00Z' }, '/date_end'),
    invalid(at, { ...base, ...several }, ...Object.keys(several).map((field) => `/${field}`)),
    ...each(refusedBySchema).map(bySchema),
    ...each({ timezone: [null], waiting_list: [null], visibility: [null] }).map(absent),
  ];
}

const faults: Fault[] = [
  ...eventFaults('createEvent', event),
  ...eventFaults('updateEvent empty'),
  ...eventFaults('duplicateEvent empty'),
  invalid('createEvent', {}, '/name', '/date_start', '/date_end'),
  invalid('createEvent', { ...event, status: 2 }, '/status'),
  bySchema(invalid('createEvent', { ...event, notify: true }, '/notify')),
  invalid('duplicateEvent empty', { status: 3 }, '/status'),
  invalid('updateEvent empty', { date_start: '2127-05-01T12:00:00.001Z' }, '/date_start'),
  invalid('updateEvent empty', { date_end: '2127-05-01T09:59:59Z' }, '/date_end'),
  invalid('updateEvent empty', { date_end: '2127-05-01T09:59:59Z', slug: 'No!' }, '/date_end', '/slug'),
  invalid('duplicateEvent empty', { date_start: '9999-12-31T23:00:00Z' }, '/date_start'),
  // whatever else is wrong, and only if both dates can be read
  ...['createEvent', 'updateEvent empty', 'duplicateEvent empty'].flatMap((at) => {
    const base = at === 'createEvent' ? event : {};
    const backwards = { date_start: '2127-01-02T00:00:00Z', date_end: '2127-01-01T00:00:00Z' };
    return [
      ...(at.startsWith('update') ? [] : [invalid(at, { ...base, ...backwards, status: 2 }, '/status', '/date_end')]),
      invalid(at, { ...base, date_start: '1899-01-01T00:00:00Z', date_end: '2001-01-01T00:00:00Z' }, '/date_start'),
    ];
  }),
  // the input comes before the object
  invalid('duplicateEvent nonsense', { name: '' }, '/name'),
  { at: 'updateEvent nonsense', code: 'NOT_FOUND' },
  { at: 'subscribe draft', by: 'member', code: 'NOT_FOUND' },
  { at: 'createEvent', body: { ...event, slug: 'full' }, code: 'CONFLICT', pointers: ['/slug'] },
  { at: 'updateEvent empty', body: { slug: 'full' }, code: 'CONFLICT', pointers: ['/slug'] },
  { at: 'duplicateEvent empty', body: { slug: 'full' }, code: 'CONFLICT', pointers: ['/slug'] },
  { at: 'updateEvent full', body: { capacity: 0 }, code: 'CONFLICT', pointers: ['/capacity'] },
  { at: 'updateEvent full', body: { slug: 'empty', capacity: 0 }, code: 'CONFLICT', pointers: ['/slug', '/capacity'] },
  { at: 'updateEvent draft', body: { status: 2 }, version: 7, code: 'PRECONDITION_FAILED' },
  { at: 'updateEvent empty', body: {}, version: 7, code: 'PRECONDITION_FAILED' },
  { at: 'updateEvent full', body: { slug: 'empty', capacity: 0 }, version: 7, code: 'PRECONDITION_FAILED' },
  { at: 'deleteEvent empty', version: 7, code: 'PRECONDITION_FAILED' },
  { at: 'deleteEvent empty', code: 'CONFLICT' },

  { at: 'subscribe empty', by: 'member', body: { status: 'accepted' }, code: 'FORBIDDEN' },
  { at: 'subscribe empty', by: 'member', body: { notify: false }, code: 'FORBIDDEN' },
  { at: 'subscribe empty', by: 'member', body: { user_id: uuid }, code: 'FORBIDDEN' },
  { at: 'subscribe empty', by: 'member', body: { user_id: 'nonsense' }, code: 'FORBIDDEN' },
  bySchema({ at: 'subscribe empty', by: 'member', body: { status: 1, nonsense: true }, code: 'FORBIDDEN' }),
  invalid('subscribe empty', { user_id: 'nonsense' }, '/user_id'),
  invalid('subscribe empty', { user_id: uuid }, '/user_id'),
  invalid('subscribe empty', { answers: { diet: 'x' } }, '/answers/diet'),
  invalid('subscribe empty', { user_id: uuid, answers: { diet: 'x' } }, '/user_id', '/answers/diet'),
  invalid('subscribe empty', { answers: { 'a/b~c': 1 } }, '/answers/a~1b~0c'),
  { at: 'subscribe empty', body: { form_version: 1 }, code: 'CONFLICT', pointers: ['/form_version'] },
  invalid('subscribe empty', { status: 'declined' }, '/status'),
  bySchema(invalid('subscribe empty', { status: 'maybe' }, '/status')),
  bySchema(invalid('subscribe empty', { form_version: 'x' }, '/form_version')),
  bySchema(invalid('subscribe empty', { nonsense: 1 }, '/nonsense')),
  bySchema(invalid('subscribe empty', { notify: 'yes' }, '/notify')),
  absent(invalid('subscribe closed', { user_id: null }, '/user_id')),

  { at: 'move pending@full', body: { status: 'accepted' }, code: 'EVENT_FULL' },
  { at: 'move left@full', body: { status: 'pending' }, code: 'ALREADY_SUBSCRIBED' },
  { at: 'move past@over', by: 'member', body: { answers: {} }, code: 'INVALID_TRANSITION', pointers: ['/answers'] },
  invalid('move holder@full', { answers: { diet: 'x' } }, '/answers/diet'),
  { at: 'move holder@full', body: { form_version: 2 }, code: 'CONFLICT', pointers: ['/form_version'] },
  { at: 'move holder@full', by: 'member', body: { notify: true }, code: 'FORBIDDEN' },
  { at: 'move holder@full', by: 'other', body: { status: 'cancelled' }, code: 'NOT_FOUND' },
  { at: 'move nonsense@full', body: { status: 'cancelled' }, code: 'NOT_FOUND' },
  bySchema(invalid('move holder@full', { status: 'maybe' }, '/status')),
  bySchema(invalid('move holder@full', { checked_in_at: null }, '/checked_in_at')),
  absent(invalid('move pending@full', { status: null }, '/status')),

  { at: 'checkIn present@busy', code: 'ALREADY_CHECKED_IN' },
  { at: 'checkIn pending@full', code: 'INVALID_TRANSITION' },
  bySchema(invalid('checkIn holder@full', { nonsense: 1 }, '/nonsense')),

  invalid('transition @full', { ids: [uuid] }, '/status'),
  invalid('transition @full', { status: 'declined' }, '/ids'),
  invalid('transition @full', { ids: Array.from({ length: 101 }, () => randomUUIDv7()), status: 'declined' }, '/ids'),

  invalid('bulk full', { items: Array.from({ length: 101 }, () => ({ user_id: randomUUIDv7() })) }, '/items'),
  invalid('bulk full', { items: [{ user_id: uuid }, { user_id: 'nonsense' }] }, '/items/1/user_id'),
  invalid('bulk full', { items: [{ user_id: uuid }, { user_id: uuid.toUpperCase() }] }, '/items/1/user_id'),
  invalid('bulk full', {}, '/items'),
  bySchema(invalid('bulk full', { items: [{ user_id: uuid, status: 'maybe' }] }, '/items/0/status')),
  bySchema(invalid('bulk full', { items: [{ user_id: uuid, form_version: 'x' }] }, '/items/0/form_version')),
  bySchema(invalid('bulk full', { items: [{ user_id: uuid, nonsense: 1 }] }, '/items/0/nonsense')),
  invalid('bulk full', { items: [{}] }, '/items/0/user_id'),
];

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
const over = await create('over');
await subscribe('past', team.member, over);
await face.updateEvent(team.manager, over, { date_start: '2020-01-01T00:00:00Z', date_end: '2020-01-02T00:00:00Z' });
// what the schema of GraphQL lets pass as absent may create events
const tracesOf = () =>
  server.execute(
    `select (select count(*) from subscription_change) as changes, (select count(*) from job where lane ~ 'mails') as mails,
      (select count(*) from audit_entry where action <> 'event.created') as trail`,
  );
await settleMails(server);
const traces = await tracesOf();

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
    expect(await tracesOf()).toEqual(traces);
    const versions = await server.execute<{ slug: string; version: number }>(
      'select slug, version from event where version > 1 order by slug',
    );
    expect(versions.map(({ slug }) => slug)).toEqual(['over']);
  });
});
