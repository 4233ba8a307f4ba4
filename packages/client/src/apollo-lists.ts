import type { ApolloCache, FieldPolicy, Reference, StoreObject } from '@apollo/client';
import { growthOf, isGone, type ListArguments, type LoadedList, placeIn, type Read } from './lists.ts';

export type NodeType = 'Event' | 'EventSubscription';

/** The fields with lists that follow changes, with the type of their nodes. */
export const followed: Record<string, NodeType> = {
  events: 'Event',
  eventSubscriptions: 'EventSubscription',
  subscriptions: 'EventSubscription',
};

/** A connection as the cache keeps it: with the arguments that make the list. */
export interface StoredList {
  edges?: { cursor?: string; node: Reference }[];
  nodes?: Reference[];
  pageInfo?: Record<string, unknown>;
  totalCount?: number;
  list: ListArguments;
}

type ReadField = (name: string, from: Reference | StoreObject) => unknown;

/** Objects that changed lately: a page that was asked for before may come after the change, and lack them. */
const recent = new WeakMap<object, Map<string, NodeType>>();
const most = 1_000;

export function remember(cache: ApolloCache, object: string, type: NodeType): void {
  const objects = recent.get(cache) ?? new Map<string, NodeType>();
  recent.set(cache, objects);
  objects.delete(object);
  objects.set(object, type);
  const [oldest] = objects.keys();
  if (objects.size > most && oldest !== undefined) objects.delete(oldest);
}

export function forget(cache: ApolloCache, object: string): void {
  recent.get(cache)?.delete(object);
}

/** One list for each filter and order, which pages of both directions join. */
export const connection: FieldPolicy<StoredList | null> = {
  keyArgs: ['where', 'orderBy'],
  merge(existing, incoming, { args, readField, cache, fieldName }) {
    if (!incoming) return incoming;
    let list = join(existing, incoming, (args ?? {}) as PageArguments, readField as ReadField);
    for (const [object, type] of recent.get(cache) ?? []) {
      // a page of an event that lacks a subscription has the event, so it is asked again
      if (followed[fieldName] !== type || fieldName === 'subscriptions') continue;
      list = settled(list, type, object, readField as ReadField, 'READ') ?? list;
    }
    return list;
  },
};

type PageArguments = ListArguments & { after?: string | null; before?: string | null };

function join(
  existing: StoredList | null | undefined,
  page: StoredList,
  args: PageArguments,
  readField: ReadField,
): StoredList {
  const { where, orderBy, from, after, before } = args;
  if (!existing || !(after || before)) return { ...page, list: { where, orderBy, from } };
  const both = <Item>(old: Item[] | undefined, more: Item[] | undefined, keyOf: (item: Item) => unknown) => {
    const known = new Set(old?.map(keyOf));
    const others = more?.filter((item) => !known.has(keyOf(item)));
    if (!old || !others) return more ?? old;
    return after ? [...old, ...others] : [...others, ...old];
  };
  const { hasNextPage, endCursor, hasPreviousPage, startCursor } = page.pageInfo ?? {};
  const end = after ? { hasNextPage, ...(endCursor ? { endCursor } : {}) } : {};
  const start = after ? {} : { hasPreviousPage, ...(startCursor ? { startCursor } : {}) };
  const edges = both(existing.edges, page.edges, (edge) => (readField('node', edge) as Reference | undefined)?.__ref);
  const nodes = both(existing.nodes, page.nodes, (node) => node.__ref);
  return {
    ...existing,
    ...page,
    ...(edges && { edges }),
    ...(nodes && { nodes }),
    pageInfo: { ...existing.pageInfo, ...end, ...start },
    list: after ? existing.list : { where, orderBy },
  };
}

/**
 * The list with the object at its place, or without it; null if the cache cannot decide.
 *
 * @param op of the change of the object
 */
export function settled(
  list: StoredList,
  type: NodeType,
  object: string,
  readField: ReadField,
  op: string,
): StoredList | null {
  const read =
    (ref: Reference): Read =>
    (path) =>
      path.split('.').reduce<unknown>((at, name) => (at ? readField(name, at as Reference) : at), ref);
  const all = list.edges?.map((edge) => edge.node) ?? list.nodes ?? [];
  const node = { __ref: object };
  const loaded: LoadedList = {
    kind: type === 'Event' ? 'event' : 'subscription',
    args: list.list,
    items: all.filter(({ __ref }) => __ref !== object).map(read),
    index: all.findIndex(({ __ref }) => __ref === object),
    hasPreviousPage: Boolean(list.pageInfo?.hasPreviousPage),
    hasNextPage: Boolean(list.pageInfo?.hasNextPage),
  };
  const at = isGone(op) ? 'none' : placeIn(loaded, read(node));
  if (at === 'unknown') return null;
  const edges = list.edges?.filter((edge) => edge.node.__ref !== object);
  const nodes = list.nodes?.filter(({ __ref }) => __ref !== object);
  if (typeof at === 'number') {
    edges?.splice(at, 0, { __typename: `${type}Edge`, cursor: '', node } as NonNullable<typeof edges>[number]);
    nodes?.splice(at, 0, node);
  }
  const more = { ...(at === 'before' && { hasPreviousPage: true }), ...(at === 'after' && { hasNextPage: true }) };
  const { totalCount } = list;
  return {
    ...list,
    ...(edges && { edges }),
    ...(nodes && { nodes }),
    ...(list.pageInfo && { pageInfo: { ...list.pageInfo, ...more } }),
    ...(totalCount !== undefined && { totalCount: totalCount + growthOf(loaded, read(node), op, at) }),
  };
}
