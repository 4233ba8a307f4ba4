import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Caller, type GraphqlAnswer, graphql } from './graphql.ts';
import { send } from './send.ts';

/** What became of a write, in the words of REST whatever the face: a code, or what the write answers. */
export interface Outcome<Value> {
  code: string | null;
  /** Of the faults, in the face's own names. */
  pointers: string[];
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

/** The writes of events and subscriptions by one face. Fields have the names and values of REST. */
export interface WriteFace {
  name: 'rest' | 'graphql';
  createEvent(caller: Caller, fields: Fields, asked?: Asked): Promise<Outcome<WrittenEvent>>;
  updateEvent(caller: Caller, id: string, fields: Fields, asked?: Asked): Promise<Outcome<WrittenEvent>>;
  deleteEvent(caller: Caller, id: string, asked?: Asked): Promise<Outcome<unknown>>;
  duplicateEvent(caller: Caller, id: string, fields: Fields, asked?: Asked): Promise<Outcome<WrittenEvent>>;
  subscribe(caller: Caller, event: string, fields?: Fields, asked?: Asked): Promise<Outcome<WrittenSubscription>>;
  move(caller: Caller, event: string, id: string, fields: Fields, asked?: Asked): Promise<Outcome<WrittenSubscription>>;
  checkIn(caller: Caller, event: string, id: string, asked?: Asked): Promise<Outcome<WrittenSubscription>>;
  undoCheckIn(caller: Caller, event: string, id: string, asked?: Asked): Promise<Outcome<WrittenSubscription>>;
  /** The ids that were moved, and the codes of the others. */
  transition(
    caller: Caller,
    event: string,
    ids: string[],
    status: string,
    fields?: Fields,
  ): Promise<Outcome<Transitioned>>;
  bulk(caller: Caller, event: string, items: Fields[], fields?: Fields, asked?: Asked): Promise<Outcome<Bulk>>;
}

export interface Bulk {
  items: WrittenSubscription[];
  errors: { pointer: string; code: string; errors?: { pointer: string; code: string }[] | null }[];
}

export interface Transitioned {
  items: WrittenSubscription[];
  errors: { pointer: string; code: string }[];
}

/** REST at an address that may change. */
export function restFace(url: () => string): WriteFace {
  const ask = async <Value>(caller: Caller, request: string, body?: unknown, { version, key }: Asked = {}) =>
    await patiently(async (): Promise<Outcome<Value>> => {
      const headers = {
        ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      };
      const answer = await send<Fields>({ url: url() }, caller, request, body, headers);
      if (answer.status < 300) return { code: null, pointers: [], value: answer.body as Value };
      const { code, errors = [] } = answer.body as { code: string; errors?: { pointer: string }[] };
      return { code, pointers: errors.map(({ pointer }) => pointer), value: null as Value };
    });
  const at = (event: string, id: string) => `/events/${event}/subscriptions/${id}`;
  return {
    name: 'rest',
    createEvent: (caller, fields, asked) => ask(caller, 'POST /events', fields, asked),
    updateEvent: (caller, id, fields, asked) => ask(caller, `PATCH /events/${id}`, fields, asked),
    deleteEvent: (caller, id, asked) => ask(caller, `DELETE /events/${id}`, undefined, asked),
    duplicateEvent: (caller, id, fields, asked) => ask(caller, `POST /events/${id}/duplicate`, fields, asked),
    subscribe: (caller, event, fields = {}, asked) => ask(caller, `POST /events/${event}/subscriptions`, fields, asked),
    move: (caller, event, id, fields, asked) => ask(caller, `PATCH ${at(event, id)}`, fields, asked),
    checkIn: (caller, event, id, asked) => ask(caller, `POST ${at(event, id)}/check-in`, undefined, asked),
    undoCheckIn: (caller, event, id, asked) => ask(caller, `DELETE ${at(event, id)}/check-in`, undefined, asked),
    transition: (caller, event, ids, status, fields = {}) =>
      ask(caller, `POST /events/${event}/subscriptions/transition`, { ids, status, ...fields }),
    bulk: (caller, event, items, fields = {}, asked) =>
      ask(caller, `POST /events/${event}/subscriptions/bulk`, { items, ...fields }, asked),
  };
}

export const facesOf = (server: { url: string }) => [restFace(() => server.url), graphqlFace(() => server.url)];

export const future = { date_start: '2127-05-01T10:00:00.000Z', date_end: '2127-05-01T12:00:00.000Z' };

/** Creates an event, which must not be refused: an active one in the future unless its fields say otherwise. */
export async function created(face: WriteFace, manager: Caller, fields: Fields = {}): Promise<WrittenEvent> {
  const { code, value } = await face.createEvent(manager, { name: 'Row', status: 1, ...future, ...fields });
  expect(code).toBeNull();
  return value;
}

const eventSelection = 'event { id: databaseId slug status capacity accepted_count: acceptedCount version }';
const subscription = 'id: databaseId user_id: userDatabaseId status checked_in_at: checkedInAt';
const subscriptionSelection = `eventSubscription { ${subscription} }`;

/** GraphQL at an address that may change. */
export function graphqlFace(url: () => string): WriteFace {
  const ask = async <Value>(
    caller: Caller,
    [field, selection, read]: [string, string, string | null],
    input: Fields,
    { version, key }: Asked = {},
  ) =>
    await patiently(async (): Promise<Outcome<Value>> => {
      const guarded = version === undefined ? input : { ...input, ifVersion: version };
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      const answer = await mutate({ url: url() }, caller, field, selection, toGraphql(guarded), headers);
      const [error] = answer.errors ?? [];
      if (error) {
        const { code, errors = [] } = error.extensions;
        return { code, pointers: errors.map(({ pointer }) => pointer), value: null as Value };
      }
      const payload = answer.data?.[field] as unknown as Fields;
      return { code: null, pointers: [], value: toRest(read === null ? payload : payload[read]) as Value };
    });
  const event = (field: string) => [field, eventSelection, 'event'] as [string, string, string];
  const one = (field: string) => [field, subscriptionSelection, 'eventSubscription'] as [string, string, string];
  return {
    name: 'graphql',
    createEvent: (caller, fields, asked) => ask(caller, event('createEvent'), fields, asked),
    updateEvent: (caller, id, fields, asked) => ask(caller, event('updateEvent'), { id, ...fields }, asked),
    deleteEvent: (caller, id, asked) => ask(caller, ['deleteEvent', 'deletedEventId', null], { id }, asked),
    duplicateEvent: (caller, id, fields, asked) => ask(caller, event('duplicateEvent'), { id, ...fields }, asked),
    subscribe: (caller, to, fields = {}, asked) =>
      ask(caller, one('subscribeToEvent'), { event_id: to, ...fields }, asked),
    move: (caller, _event, id, fields, asked) => ask(caller, one('updateEventSubscription'), { id, ...fields }, asked),
    checkIn: (caller, _event, id, asked) => ask(caller, one('checkInEventSubscription'), { id }, asked),
    undoCheckIn: (caller, _event, id, asked) => ask(caller, one('undoCheckIn'), { id }, asked),
    transition: (caller, _event, ids, status, fields = {}) =>
      ask(
        caller,
        ['updateEventSubscriptions', `items: eventSubscriptions { ${subscription} } errors { pointer code }`, null],
        { ids, status, ...fields },
      ),
    bulk: (caller, to, items, fields = {}, asked) =>
      ask(
        caller,
        [
          'subscribeUsersToEvent',
          `items: eventSubscriptions { ${subscription} } errors { pointer code errors { pointer code } }`,
          null,
        ],
        { event_id: to, items: items.map((each) => toGraphql(each)), ...fields },
        asked,
      ),
  };
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
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  const document = `mutation ($input: ${type}) { ${field}(input: $input) { ${selection} } }`;
  return graphql(server, caller, document, { input }, headers);
}

const eventStatuses = ['DRAFT', 'ACTIVE', 'CANCELLED', 'ARCHIVED'];
const enums = ['status', 'visibility', 'registration'];

/**
 * The names and enum members of GraphQL for fields of REST; what is no member stays as it is.
 *
 * @param members the fields whose values are members of enums there
 */
export function toGraphql(fields: Fields, members: readonly string[] = enums): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      members.includes(name) ? member(value) : value,
    ]),
  );
}

function member(value: unknown): unknown {
  if (typeof value === 'number') return eventStatuses[value] ?? value;
  return typeof value === 'string' ? value.toUpperCase() : value;
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
