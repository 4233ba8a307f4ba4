import type { Cache } from '@urql/exchange-graphcache';
import type { AppliedChange } from './applied-change.ts';
import { isGone, placeIn } from './lists.ts';
import { noteGrowth } from './urql-lengths.ts';
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
    for (const { parent, name, args } of listsOf(cache, type)) cache.invalidate(parent, name, args);
    return;
  }
  const { id = objectGlobalId } = (kind === 'SUBSCRIPTION' ? change.subscription : change.event) ?? {};
  const object = id && kind !== 'FORM' ? cache.keyOfEntity({ __typename: type, id }) : null;
  if (!object) return;
  note(cache, type, object, op);
  const event = type === 'EventSubscription' ? cache.resolve(object, 'event') : null;
  if (typeof event === 'string' && !isGone(op)) note(cache, 'Event', event, 'CHANGED');
}

/** Lets the lists look at an object, and reads those again that cannot place it. */
function note(cache: Cache, type: 'Event' | 'EventSubscription', object: string, op: string): void {
  const read = reader(cache, object);
  for (const { parent, name, args } of listsOf(cache, type, object)) {
    const list = cachedList(cache, parent, name, args);
    if (!list) continue;
    const loaded = listWithout(cache, list, object);
    const at = isGone(op) ? 'none' : placeIn(loaded, read);
    if (at === 'unknown') cache.invalidate(parent, name, args);
    else noteGrowth(cache, list.page, loaded, { key: object, read }, op, at);
  }
  if (isGone(op)) {
    cache.invalidate(object);
    return;
  }
  const field = changedField(type);
  const known = (cache.resolve('Query', field) ?? []) as string[];
  cache.link('Query', field, [...known.filter((key) => key !== object), object].slice(-most));
}

/** The pages in the cache of all lists that may have objects of a type. */
function listsOf(cache: Cache, type: 'Event' | 'EventSubscription', object?: string) {
  const field = type === 'Event' ? 'events' : 'eventSubscriptions';
  const owners: [owner: unknown, field: string][] = [
    ['Query', field],
    [cache.resolve('Query', 'organization'), field],
  ];
  if (type === 'EventSubscription' && object) owners.push([cache.resolve(object, 'event'), 'subscriptions']);
  return owners.flatMap(([parent, name]) => {
    const fields = typeof parent === 'string' ? cache.inspectFields(parent) : [];
    const pages = fields.filter(({ fieldName }) => fieldName === name);
    return pages.map((page) => ({ parent: parent as string, name, args: page.arguments ?? {} }));
  });
}
