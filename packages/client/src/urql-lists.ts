import type { Cache, Entity, Resolver } from '@urql/exchange-graphcache';
import { type ListArguments, type LoadedList, placeIn, type Read } from './lists.ts';
import { lengthOf } from './urql-lengths.ts';

/** The field of `Query` with the objects that changed, which lists may not have on their pages yet. */
export const changedField = (type: string) => `changed${type}s`;

/** The type of the nodes of each list that follows changes. */
const followed: Record<string, 'Event' | 'EventSubscription'> = {
  events: 'Event',
  eventSubscriptions: 'EventSubscription',
  subscriptions: 'EventSubscription',
};

export interface CachedList {
  type: 'Event' | 'EventSubscription' | undefined;
  connection: string;
  /** The page that has these arguments. */
  page: string;
  args: ListArguments;
  edges: string[];
  nodes: string[];
  /** The key of each node. */
  items: string[];
  pageInfo: { startCursor: unknown; endCursor: unknown; hasPreviousPage: boolean; hasNextPage: boolean };
}

type Arguments = Record<string, unknown>;

interface Page {
  args: Arguments;
  key: string;
  read(field: string): unknown;
}

const keyOf = (args: Arguments) => JSON.stringify([args.where ?? null, args.orderBy ?? null]);

/** Reads a field of an object in the cache, below a link with a dot. */
export const reader =
  (cache: Cache, entity: string): Read =>
  (path) =>
    path.split('.').reduce<unknown>((at, name) => (at ? cache.resolve(at as Entity, name) : at), entity);

/**
 * The list that the pages in the cache make: the one that begins without a cursor, and all that continue from it.
 *
 * @param current arguments of a page that it has
 */
export function cachedList(cache: Cache, parent: string, field: string, current: Arguments): CachedList | null {
  const pages: Page[] = cache
    .inspectFields(parent)
    .filter(({ fieldName, arguments: args }) => fieldName === field && keyOf(args ?? {}) === keyOf(current))
    .flatMap(({ fieldKey, arguments: args }) => {
      const key = cache.resolve(parent, fieldKey);
      if (typeof key !== 'string') return [];
      const info = cache.resolve(key, 'pageInfo') as Entity;
      return [{ args: args ?? {}, key, read: (name: string) => cache.resolve(info, name) }];
    });
  const chains = pages.filter(({ args }) => !args.after && !args.before).map((root) => chainOf(root, pages));
  const isCurrent = ({ args }: Page) => pageKey(args) === pageKey(current);
  const chain = chains.find((each) => each.some(isCurrent));
  const page = chain?.find(isCurrent)?.key;
  const [first] = chain ?? [];
  const last = chain?.at(-1);
  if (!chain || !page || !first || !last) return null;
  const seen = new Set<string>();
  const unseen = (key: string) => !seen.has(key) && seen.add(key);
  const all = (name: string) => chain.flatMap(({ key }) => (cache.resolve(key, name) ?? []) as string[]);
  const nodeOf = (edge: string) => cache.resolve(edge, 'node') as string;
  const edges = all('edges').filter((edge) => unseen(nodeOf(edge)));
  seen.clear();
  const nodes = all('nodes').filter(unseen);
  const { where, orderBy, from } = current as ListArguments;
  const root = chain.find(({ args }) => !args.after && !args.before);
  const begin = chain.some(({ args }) => args.before) ? null : ((root?.args.from as string | null) ?? from);
  return {
    type: followed[field],
    connection: cache.resolve(first.key, '__typename') as string,
    page,
    args: { where, orderBy, from: begin },
    edges,
    nodes,
    items: edges.length > 0 ? edges.map(nodeOf) : nodes,
    pageInfo: {
      startCursor: first.read('startCursor') ?? null,
      endCursor: last.read('endCursor') ?? null,
      hasPreviousPage: Boolean(first.read('hasPreviousPage')),
      hasNextPage: Boolean(last.read('hasNextPage')),
    },
  };
}

const pageKey = ({ after, before, first, last, from }: Arguments) =>
  JSON.stringify([after ?? null, before ?? null, first ?? null, last ?? null, from ?? null]);

/** A page with those before and after it, in their order. */
function chainOf(root: Page, pages: readonly Page[]): Page[] {
  const chain = [root];
  const next = (cursor: unknown, name: 'after' | 'before') =>
    cursor ? pages.find(({ args }) => args[name] === cursor) : undefined;
  for (let page = next(root.read('endCursor'), 'after'); page && !chain.includes(page); ) {
    chain.push(page);
    page = next(page.read('endCursor'), 'after');
  }
  for (let page = next(root.read('startCursor'), 'before'); page && !chain.includes(page); ) {
    chain.unshift(page);
    page = next(page.read('startCursor'), 'before');
  }
  return chain;
}

/** The list without an object, as its place in it is found. */
export function listWithout(cache: Cache, list: CachedList, object: string): LoadedList {
  const items = list.items.filter((key) => key !== object).map((key) => reader(cache, key));
  const { hasPreviousPage, hasNextPage } = list.pageInfo;
  return {
    kind: list.type === 'Event' ? 'event' : 'subscription',
    args: list.args,
    items,
    index: list.items.indexOf(object),
    hasPreviousPage,
    hasNextPage,
  };
}

/** Joins the pages of a list, and puts objects that changed where they belong now. */
export const joinedPages: Resolver = (_parent, args, cache, info) => {
  const list = cachedList(cache, info.parentKey, info.fieldName, args);
  if (!list) return undefined;
  const noted = list.type ? ((cache.resolve('Query', changedField(list.type)) ?? []) as string[]) : [];
  const isBelow = info.fieldName === 'subscriptions';
  const changed = noted.filter((key) => !isBelow || cache.resolve(key, 'event') === info.parentKey);
  let { edges, nodes } = list;
  for (const key of changed) {
    const items = list.items.filter((each) => each !== key);
    const at = placeIn(listWithout(cache, list, key), reader(cache, key));
    if (at === 'unknown') continue;
    const edge = { __typename: `${list.type}Edge`, cursor: '', node: key } as never;
    const isEdge = (each: string) => nodeKey(cache, each) === key;
    const kept = list.edges.length > 0 || list.nodes.length === 0;
    edges = edges.filter((each) => !isEdge(each));
    nodes = nodes.filter((each) => each !== key);
    if (typeof at === 'number') {
      if (kept) edges.splice(at, 0, edge);
      nodes.splice(at, 0, key);
      items.splice(at, 0, key);
    }
    list.items = items;
    list.edges = edges;
    list.nodes = nodes;
    if (at === 'before') list.pageInfo.hasPreviousPage = true;
    if (at === 'after') list.pageInfo.hasNextPage = true;
  }
  const pageInfo = { __typename: 'PageInfo', ...list.pageInfo };
  return { __typename: list.connection, edges, nodes, pageInfo, totalCount: lengthOf(cache, list.page)?.total };
};

const nodeKey = (cache: Cache, edge: unknown): unknown =>
  typeof edge === 'string' ? cache.resolve(edge, 'node') : (edge as { node: string }).node;
