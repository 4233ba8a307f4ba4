import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { camelCase } from '../../src/schema/relay/dialect.ts';
import { type Caller, type GraphqlAnswer, graphql, type Refusal, refusalOf, send } from './send.ts';

/** What became of a write, in the words of REST whatever the face: a code, or what the write answers. */
interface Outcome<Value> extends Refusal {
  value: Value;
}

export interface WrittenEvent {
  id: string;
  slug: string;
  status: number;
  capacity: number | null;
  accepted_count: number;
  version: number;
}

export interface WrittenSubscription {
  id: string;
  user_id: string;
  status: string;
  checked_in_at: string | null;
}

type Fields = Record<string, unknown>;

/** How a write is asked for, beside its fields. */
export interface Asked {
  /** The version that it guards. */
  version?: number;
  /** Its `Idempotency-Key`. */
  key?: string;
}

export interface Bulk {
  items: WrittenSubscription[];
  errors: { pointer: string; code: string; errors?: { pointer: string; code: string }[] | null }[];
}

export interface Transitioned {
  items: WrittenSubscription[];
  errors: { pointer: string; code: string }[];
}

/** How a write is asked for in both APIs. */
export interface Write {
  /** `{id}` stands for its object, `{event}` for the event of that. */
  request: string;
  mutation: string;
  /** The field of the input that names the object, and the type of that; null if none does. */
  object: readonly ['id' | 'eventId', 'Event' | 'EventSubscription'] | null;
  selection: string;
  /** The field of the payload that REST answers; without it, that is the payload. */
  payload?: string;
}

const fieldsOfOne = 'id: databaseId user_id: userDatabaseId status checked_in_at: checkedInAt';
const ofEvent = {
  selection: 'event { id: databaseId slug status capacity accepted_count: acceptedCount version }',
  payload: 'event',
};
const ofOne = { selection: `eventSubscription { ${fieldsOfOne} }`, payload: 'eventSubscription' };
const ofMany = (errors: string) => ({ selection: `items: eventSubscriptions { ${fieldsOfOne} } errors { ${errors} }` });

const ofOrganization = {
  selection: 'organization { description website contact_email: contactEmail accent version }',
  payload: 'organization',
};

type Shown = Pick<Write, 'selection' | 'payload'>;
const write = (request: string, mutation: string, object: Write['object'], shown: Shown): Write => ({
  request,
  mutation,
  object,
  ...shown,
});
const onEvent = ['id', 'Event'] as const;
const toEvent = ['eventId', 'Event'] as const;
const onOne = ['id', 'EventSubscription'] as const;
const one = '/events/{event}/subscriptions/{id}';
const nestedErrors = 'pointer code errors { pointer code }';

export const writes = {
  createEvent: write('POST /events', 'createEvent', null, ofEvent),
  updateEvent: write('PATCH /events/{id}', 'updateEvent', onEvent, ofEvent),
  deleteEvent: write('DELETE /events/{id}', 'deleteEvent', onEvent, { selection: 'deletedEventId' }),
  duplicateEvent: write('POST /events/{id}/duplicate', 'duplicateEvent', onEvent, ofEvent),
  subscribe: write('POST /events/{id}/subscriptions', 'subscribeToEvent', toEvent, ofOne),
  move: write(`PATCH ${one}`, 'updateEventSubscription', onOne, ofOne),
  checkIn: write(`POST ${one}/check-in`, 'checkInEventSubscription', onOne, ofOne),
  undoCheckIn: write(`DELETE ${one}/check-in`, 'undoCheckIn', onOne, ofOne),
  transition: write(
    'POST /events/{event}/subscriptions/transition',
    'updateEventSubscriptions',
    null,
    ofMany('pointer code'),
  ),
  updateOrganization: write('PATCH /organization', 'updateOrganization', null, ofOrganization),
  bulk: write('POST /events/{id}/subscriptions/bulk', 'subscribeUsersToEvent', toEvent, ofMany(nestedErrors)),
};

/** Where a write is, and what it says in the words of REST. */
interface Said {
  id?: string;
  event?: string;
  fields?: Fields;
}

export const requestOf = ({ request }: Write, { id = '', event = '' }: Said) =>
  request.replace('{id}', id).replace('{event}', event);

type Ask = <Value>(caller: Caller, write: Write, said: Said, asked?: Asked) => Promise<Outcome<Value>>;

export type WriteFace = ReturnType<typeof faceOf>;

/** The writes of events and subscriptions by one face. Fields have the names and values of REST. */
function faceOf(name: 'rest' | 'graphql', ask: Ask) {
  return {
    name,
    createEvent: (caller: Caller, fields: Fields, asked?: Asked) =>
      ask<WrittenEvent>(caller, writes.createEvent, { fields }, asked),
    updateEvent: (caller: Caller, id: string, fields: Fields, asked?: Asked) =>
      ask<WrittenEvent>(caller, writes.updateEvent, { id, fields }, asked),
    deleteEvent: (caller: Caller, id: string, asked?: Asked) => ask(caller, writes.deleteEvent, { id }, asked),
    duplicateEvent: (caller: Caller, id: string, fields: Fields, asked?: Asked) =>
      ask<WrittenEvent>(caller, writes.duplicateEvent, { id, fields }, asked),
    subscribe: (caller: Caller, id: string, fields: Fields = {}, asked?: Asked) =>
      ask<WrittenSubscription>(caller, writes.subscribe, { id, fields }, asked),
    move: (caller: Caller, event: string, id: string, fields: Fields, asked?: Asked) =>
      ask<WrittenSubscription>(caller, writes.move, { event, id, fields }, asked),
    checkIn: (caller: Caller, event: string, id: string, asked?: Asked) =>
      ask<WrittenSubscription>(caller, writes.checkIn, { event, id }, asked),
    undoCheckIn: (caller: Caller, event: string, id: string, asked?: Asked) =>
      ask<WrittenSubscription>(caller, writes.undoCheckIn, { event, id }, asked),
    /** The ids that were moved, and the codes of the others. */
    transition: (caller: Caller, event: string, ids: string[], status: string, fields: Fields = {}) =>
      ask<Transitioned>(caller, writes.transition, { event, fields: { ids, status, ...fields } }),
    bulk: (caller: Caller, id: string, items: Fields[], fields: Fields = {}, asked?: Asked) =>
      ask<Bulk>(caller, writes.bulk, { id, fields: { items, ...fields } }, asked),
    updateOrganization: (caller: Caller, fields: Fields, asked?: Asked) =>
      ask<Fields>(caller, writes.updateOrganization, { fields }, asked),
  };
}

/** The header that guards a version. */
export const guardOf = ({ version }: { version?: number | undefined }): Record<string, string> =>
  version === undefined ? {} : { 'if-match': `"${version}"` };
const keyHeader = ({ key }: Asked): Record<string, string> => (key === undefined ? {} : { 'idempotency-key': key });

/** REST at an address, which may change. */
export const restFace = (server: { readonly url: string }): WriteFace =>
  faceOf('rest', async (caller, write, said, asked = {}) => {
    const headers = { ...guardOf(asked), ...keyHeader(asked) };
    return await patiently(async () => {
      const answer = await send(server, caller, requestOf(write, said), said.fields, headers);
      return { ...refusalOf(answer), value: (answer.status < 300 ? answer.body : null) as never };
    });
  });

/** GraphQL at an address, which may change. */
const graphqlFace = (server: { readonly url: string }): WriteFace =>
  faceOf('graphql', async (caller, write, said, asked = {}) => {
    const { mutation, selection, payload } = write;
    const input = inputOf(write, said, asked.version);
    return await patiently(async () => {
      const answer = await mutate(server, caller, mutation, selection, input, keyHeader(asked));
      const given = answer.data?.[mutation] as Fields | undefined;
      return { ...refusalOf(answer), value: toRest(payload ? given?.[payload] : given) as never };
    });
  });

/** The input of a mutation for a write in the words of REST. */
export const inputOf = ({ object }: Write, { id, fields = {} }: Said, version?: number): Fields => ({
  ...toGraphql(fields),
  ...(object ? { [object[0]]: id } : {}),
  ...(version === undefined ? {} : { ifVersion: version }),
});

export const facesOf = (server: { readonly url: string }) => [restFace(server), graphqlFace(server)];

export const future = { date_start: '2127-05-01T10:00:00.000Z', date_end: '2127-05-01T12:00:00.000Z' };

/** Creates an event, which must not be refused: an active one in the future unless its fields say otherwise. */
export async function created(face: WriteFace, manager: Caller, fields: Fields = {}): Promise<WrittenEvent> {
  const { code, value } = await face.createEvent(manager, { name: 'Row', status: 1, ...future, ...fields });
  expect(code).toBeNull();
  return value;
}

/** One mutation with its input as a variable. */
export function mutate(
  server: { url: string },
  caller: Caller,
  field: string,
  selection: string,
  input: Fields,
  headers: Record<string, string> = {},
): Promise<GraphqlAnswer> {
  return graphql(server, caller, mutationOf(field, selection), { input }, headers);
}

/** A document with one mutation. */
export const mutationOf = (field: string, selection: string) =>
  `mutation ($input: ${field.charAt(0).toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${selection} } }`;

/** Creates an event under a key by a face: the code, how long it says to wait, its text, and whether it was answered before. */
export async function createUnderKey(
  server: { url: string },
  face: WriteFace['name'],
  caller: Caller,
  key: string,
  name: string,
) {
  const [fields, headers] = [{ name, ...future }, keyHeader({ key })];
  const answer =
    face === 'rest'
      ? await send(server, caller, 'POST /events', fields, headers)
      : await mutate(server, caller, 'createEvent', 'event { id }', toGraphql(fields), headers);
  const [error] = 'errors' in answer ? (answer.errors ?? []) : [];
  const wait = Number(answer.headers.get('retry-after') ?? error?.extensions.retry_after ?? 0);
  return { ...refusalOf(answer), wait, text: answer.text, replayed: answer.headers.get('idempotency-replayed') };
}

const eventStatuses = ['DRAFT', 'ACTIVE', 'CANCELLED', 'ARCHIVED'];
/** The fields of what is written whose values are members of enums in GraphQL. */
export const enums = ['status', 'visibility', 'registration', 'signup'];

/**
 * The names and enum members of GraphQL for fields of REST; what is no member stays as it is.
 *
 * @param members the fields whose values are members of enums there
 */
export function toGraphql(fields: Fields, members: readonly string[] = enums): Fields {
  const written = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => (isObject(each) ? toGraphql(each, members) : each));
    return members.includes(name) ? enumMember(value) : value;
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [camelCase(name), written(name, value)]));
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The member of an enum of GraphQL for a value of REST. */
export function enumMember(value: unknown): unknown {
  if (typeof value === 'number') return eventStatuses[value] ?? value;
  return typeof value === 'string' ? value.toUpperCase().replaceAll('.', '_') : value;
}

/** What GraphQL answers, with the values of REST. */
function toRest(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toRest);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name !== 'status') return [name, toRest(each)];
      const number = eventStatuses.indexOf(String(each));
      return [name, 'capacity' in value ? number : String(each).toLowerCase()];
    }),
  );
}

/** Asks again where a bound of the service puts a request off (reference/limits.md), as a client does. */
async function patiently<Value>(ask: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
  for (;;) {
    const outcome = await ask();
    if (outcome.code !== 'RATE_LIMITED' && outcome.code !== 'SERVICE_UNAVAILABLE') return outcome;
    await sleep(100 + Math.random() * 200);
  }
}
