// Where an object belongs in a list of a cache, by the list's filter and order, as the service decides it.

/** Reads a field of an object in the cache, below a link with a dot, such as `event.id`; undefined if it is not known. */
export type Read = (field: string) => unknown;

/** A filter of GraphQL, such as `EventWhere`. */
export type Where = Record<string, unknown>;

/** The arguments that make a list, apart from its page. */
export interface ListArguments {
  where?: Where | null;
  orderBy?: { field?: string; direction?: string } | null;
  /** The time at which the list begins, until an earlier page is read. */
  from?: string | null;
}

export interface LoadedList {
  kind: 'event' | 'subscription';
  args: ListArguments;
  /** The items without the object. */
  items: readonly Read[];
  /** Where the object is among them now; -1 if it is not loaded. */
  index: number;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
}

/**
 * An index; `none` if the filter excludes the object; `before` or `after` if it is on a page that is not loaded; `unknown` if
 * the cache lacks a field that decides it.
 */
export type Place = number | 'none' | 'before' | 'after' | 'unknown';

/** Where an object belongs in the loaded part of a list. */
export function placeIn(list: LoadedList, object: Read): Place {
  const { args, items, hasPreviousPage, hasNextPage } = list;
  const isMatch = matches(args.where ?? {}, object);
  if (isMatch === false) return 'none';
  const key = keyOf(list, object);
  const keys = items.map((each) => keyOf(list, each));
  if (isMatch === undefined || !key || keys.includes(undefined)) return 'unknown';
  const sign = args.orderBy?.direction === 'DESC' ? -1 : 1;
  const precedes = (a: Key, b: Key) => (a.time - b.time || (a.id < b.id ? -1 : 1)) * sign < 0;
  if (args.from && (key.time - Date.parse(args.from)) * sign < 0) return 'before';
  const index = keys.filter((each) => each && precedes(each, key)).length;
  // the first and the last of the loaded part stay that, unless they change places with others
  if (index === list.index) return index;
  // from its time on, a list is loaded from its beginning
  if (index === 0 && hasPreviousPage && !args.from) return 'before';
  if (index === items.length && hasNextPage) return 'after';
  return index;
}

/**
 * By how many items a list grows. Where pages are missing, an object that changed and is found in the loaded part is taken
 * to match the filter since then.
 *
 * @param op of the change; `READ` for a page without an object that changed before it was read
 * @param object as it was, if it is gone
 */
export function growthOf(list: LoadedList, object: Read, op: string, at: Place): number {
  const { where } = list.args;
  const isLoaded = list.index >= 0;
  if (isGone(op)) return isLoaded || matches(where ?? {}, object) ? -1 : 0;
  if (at === 'unknown') return 0;
  if (at === 'none') return isLoaded ? -1 : 0;
  if (isLoaded) return 0;
  if (op === 'CREATED') return 1;
  const isFiltered = Object.keys(where ?? {}).length > 0;
  return typeof at === 'number' && (isFiltered || op === 'READ') ? 1 : 0;
}

/** Whether the viewer no longer sees the object of a change. */
export const isGone = (op: string) => op === 'DELETED' || op === 'HIDDEN';

interface Key {
  time: number;
  id: string;
}

function keyOf({ kind, args }: LoadedList, object: Read): Key | undefined {
  const isByStart = kind === 'event' && args.orderBy?.field !== 'CREATED_AT';
  const time = object(isByStart ? 'dateStart' : 'createdAt');
  const id = object('id');
  return typeof time === 'string' && typeof id === 'string'
    ? { time: Date.parse(time), id: databaseId(id) }
    : undefined;
}

/** The id that REST uses, of a global id or of itself. */
export function databaseId(id: string): string {
  if (/^[0-9a-f-]{36}$/i.test(id)) return id.toLowerCase();
  try {
    return atob(id).split(':')[1] ?? id;
  } catch {
    return id;
  }
}

/** Whether a filter matches an object; undefined if the cache lacks a field that decides it. */
export function matches(where: Where, object: Read): boolean | undefined {
  const given = Object.entries(where).filter(([, condition]) => condition !== undefined && condition !== null);
  return every(given.map(([field, condition]) => meets(field, condition, object)));
}

function meets(field: string, condition: unknown, object: Read): boolean | undefined {
  if (field === 'and') return every((condition as Where[]).map((each) => matches(each, object)));
  if (field === 'or') return not(every((condition as Where[]).map((each) => not(matches(each, object)))));
  if (field === 'not') return not(matches(condition as Where, object));
  const value = valueIn(field, object);
  if (value === undefined) return undefined;
  const operators = Object.entries(condition as Record<string, unknown>).filter(([, operand]) => operand !== undefined);
  return operators.every(([operator, operand]) => compare(operator, comparable(field, value), operand, field));
}

/** Fields of a filter that have another name in the object. */
const links: Record<string, string> = {
  viewerSubscription: 'viewerSubscription.status',
  eventId: 'event.id',
  userId: 'user.id',
};

function valueIn(field: string, object: Read): unknown {
  if (field === 'phase') return phaseOf(object);
  if (field === 'viewerSubscription' && object(field) === null) return null;
  return object(links[field] ?? field);
}

function phaseOf(object: Read): unknown {
  const [status, start, end] = [object('status'), object('dateStart'), object('dateEnd')];
  if (status === undefined || typeof start !== 'string' || typeof end !== 'string') return undefined;
  if (status !== 'ACTIVE') return null;
  if (Date.now() < Date.parse(start)) return 'UPCOMING';
  return Date.now() < Date.parse(end) ? 'IN_PROGRESS' : 'CONCLUDED';
}

const isTime = (field: string) => /^date|At$/.test(field);
const isId = (field: string) => /^id$|Id$/.test(field);

/** A value in the form in which it is compared: times and ids have several. */
function comparable(field: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (isTime(field)) return Date.parse(value);
  return isId(field) ? databaseId(value) : value;
}

function compare(operator: string, value: unknown, given: unknown, field: string): boolean {
  if (operator === 'in') return (given as unknown[]).some((each) => comparable(field, each) === value);
  const operand = comparable(field, given);
  if (operator === 'eq') return value === operand;
  if (operator === 'ne') return value !== operand;
  if (value === null || operand === null) return false;
  if (operator === 'contains') return String(value).toLowerCase().includes(String(operand).toLowerCase());
  const difference = Number(value) - Number(operand);
  if (operator === 'gt') return difference > 0;
  if (operator === 'gte') return difference >= 0;
  return operator === 'lt' ? difference < 0 : difference <= 0;
}

const not = (is: boolean | undefined) => (is === undefined ? undefined : !is);

function every(all: readonly (boolean | undefined)[]): boolean | undefined {
  if (all.includes(false)) return false;
  return all.includes(undefined) ? undefined : true;
}
