import type {
  Cache,
  CacheExchangeOpts,
  DataFields,
  Entity,
  OptimisticMutationResolver,
} from '@urql/exchange-graphcache';
import type { AppliedChange } from './applied-change.ts';
import { cancelled, subscribed } from './expected.ts';
import { connections, embedded } from './schema-facts.ts';
import { applyChange } from './urql-changes.ts';
import { joinedPages } from './urql-lists.ts';

const notKeyed = () => null;

/** The options of the cache for the service's schema, with those of the application. */
export function cacheOptions({
  keys,
  resolvers,
  updates,
  optimistic,
  ...others
}: CacheExchangeOpts): CacheExchangeOpts {
  const lists = Object.entries(connections).map(([type, names]) => {
    const fields = names.filter((name) => name !== 'changes').map((name) => [name, joinedPages]);
    const event =
      type === 'Query' ? { event: (_: unknown, { id }: { id?: string }) => ({ __typename: 'Event', id }) } : {};
    return [type, { ...Object.fromEntries(fields), ...event, ...resolvers?.[type] }];
  });
  return {
    ...others,
    keys: { ...Object.fromEntries(embedded.map((type) => [type, notKeyed])), ...keys },
    resolvers: { ...resolvers, ...Object.fromEntries(lists) },
    updates: {
      ...updates,
      Subscription: {
        changes: (result, _args, cache) => {
          const { change } = result.changes as { change: AppliedChange | null };
          if (change) applyChange(cache, change);
        },
        ...updates?.Subscription,
      },
    },
    optimistic: { ...expectedOutcomes, ...optimistic },
  };
}

/** What the cache shows until the service has answered. */
const expectedOutcomes: Record<string, OptimisticMutationResolver> = {
  subscribeToEvent: ({ input }, cache) => {
    const { eventId: id } = input as { eventId: string };
    return payload('SubscribeToEventPayload', subscribed(readEvent(cache, { __typename: 'Event', id })));
  },
  updateEventSubscription: ({ input }, cache) => {
    const { id, status } = input as { id: string; status?: string };
    const event = cache.resolve({ __typename: 'EventSubscription', id }, 'event') as Entity;
    if (status !== 'CANCELLED' || !event) return null;
    return payload('UpdateEventSubscriptionPayload', cancelled(readEvent(cache, event)));
  },
};

function readEvent(cache: Cache, entity: Entity) {
  const read = (field: string) => cache.resolve(entity, field);
  const own = read('viewerSubscription') as Entity;
  const readOwn = (field: string) => cache.resolve(own, field) as string;
  return {
    id: read('id') as string,
    acceptedCount: read('acceptedCount') as number,
    placesLeft: read('placesLeft') as number | null | undefined,
    availability: read('availability') as string,
    viewerSubscription: own ? { id: readOwn('id'), status: readOwn('status') } : null,
  };
}

function payload(__typename: string, { id, viewerSubscription, ...event }: ReturnType<typeof readEvent>): DataFields {
  const reference = { __typename: 'Event', id };
  const own = viewerSubscription && { __typename: 'EventSubscription', ...viewerSubscription, event: reference };
  return { __typename, event: { ...reference, ...event, viewerSubscription: own } } as DataFields;
}
