import type { Cache } from '@urql/exchange-graphcache';
import type { AppliedChange } from './applied-change.ts';
import { placeIn } from './lists.ts';
import { cachedList, changedField, listWithout, reader } from './urql-lists.ts';

/** Changed objects that lists look at; more are on pages by then, or their lists are read again. */
const most = 1_000;

/**
 * Brings the lists of a cache up to date: an object is added, moved or removed by the filter and order of each list. A list
 * that the cache cannot decide about is read again by the queries that show it.
 *
 * @param change with `kind op objectGlobalId` and the `id` of `event` or `subscription`, and in these what the lists show and
 * filter by; the `subscription` with its `event`
 */
export function applyChange(cache: Cache, change: AppliedChange): void {
  const { kind, op, objectGlobalId } = change;
  const type = kind === 'SUBSCRIPTION' ? 'EventSubscription' : 'Event';
  if (op === 'REFETCH') {
    readAgain(cache, type, () => true);
    return;
  }
  const { id = objectGlobalId } = (kind === 'SUBSCRIPTION' ? change.subscription : change.event) ?? {};
  const object = id && kind !== 'FORM' ? cache.keyOfEntity({ __typename: type, id }) : null;
  if (!object) return;
  if (op === 'DELETED' || op === 'HIDDEN') {
    cache.invalidate(object);
    return;
  }
  note(cache, type, object);
  const event = type === 'EventSubscription' ? cache.resolve(object, 'event') : null;
  if (typeof event === 'string') note(cache, 'Event', event);
}

/** Lets the lists look at an object, and reads those again that cannot place it. */
function note(cache: Cache, type: 'Event' | 'EventSubscription', object: string): void {
  const field = changedField(type);
  const known = (cache.resolve('Query', field) ?? []) as string[];
  cache.link('Query', field, [...known.filter((key) => key !== object), object].slice(-most));
  readAgain(cache, type, (parent, name, args) => {
    const list = cachedList(cache, parent, name, args);
    return list !== null && placeIn(listWithout(cache, list, object), reader(cache, object)) === 'unknown';
  });
}

type Decides = (parent: string, field: string, args: Record<string, unknown>) => boolean;

function readAgain(cache: Cache, type: 'Event' | 'EventSubscription', decides: Decides): void {
  const organization = cache.resolve('Query', 'organization');
  const field = type === 'Event' ? 'events' : 'eventSubscriptions';
  for (const parent of ['Query', organization]) {
    if (typeof parent !== 'string') continue;
    for (const { fieldName, arguments: args } of cache.inspectFields(parent)) {
      if (fieldName === field && decides(parent, fieldName, args ?? {}))
        cache.invalidate(parent, fieldName, args ?? {});
    }
  }
}
