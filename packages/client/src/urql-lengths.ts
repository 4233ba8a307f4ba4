import type { Cache } from '@urql/exchange-graphcache';
import { growthOf, isGone, type LoadedList, type Place, type Read } from './lists.ts';

/** What a page's `totalCount` is by now. */
interface Length {
  /** What the service said. */
  read: number;
  total: number;
  /** Whether the objects that changed since are loaded now. */
  loaded: Record<string, boolean>;
}

/** The field of a page with its length, as JSON: the cache takes only links from updaters. */
const lengthField = 'eventsGatewayLength';

/** The length of the list of a page; undefined if `totalCount` is not selected. */
export function lengthOf(cache: Cache, page: string): Length | undefined {
  const read = cache.resolve(page, 'totalCount');
  if (typeof read !== 'number') return undefined;
  const kept = cache.resolve(page, lengthField);
  const length = typeof kept === 'string' ? (JSON.parse(kept) as Length) : undefined;
  return length?.read === read ? length : { read, total: read, loaded: {} };
}

/** Notes what the change of an object does to the length of the list of a page. */
export function noteGrowth(
  cache: Cache,
  page: string,
  list: LoadedList,
  object: { key: string; read: Read },
  op: string,
  at: Place,
): void {
  const length = lengthOf(cache, page);
  if (!length) return;
  const isLoaded = length.loaded[object.key] ?? list.index >= 0;
  length.total += growthOf({ ...list, index: isLoaded ? 0 : -1 }, object.read, op, at);
  length.loaded[object.key] = !isGone(op) && typeof at === 'number';
  cache.link(page, lengthField, JSON.stringify(length));
}
