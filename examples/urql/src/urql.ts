import {
  type Cache,
  type CacheExchangeOpts,
  cacheExchange,
  type DataFields,
  type Entity,
} from '@urql/exchange-graphcache';
import { Client, fetchExchange } from 'urql';
import { cancelled, type Subscribed, subscribed } from '../../shared/optimistic.ts';
import { service, url } from '../../shared/service.ts';

/** Put here by vite.config.ts. */
declare const __SCHEMA__: NonNullable<CacheExchangeOpts['schema']>;

/** Changes without an object of their own stay where they are told. */
const embedded = () => null;

/** A client for one person in one organization. */
export function createUrql(): Client {
  return new Client({
    url: `${url}/graphql`,
    preferGetMethod: false,
    // adds the token and the organization
    fetch: service.fetch,
    fetchSubscriptions: true,
    exchanges: [
      cacheExchange({
        schema: __SCHEMA__,
        keys: { ChangePayload: embedded, Change: embedded },
        optimistic: {
          subscribeToEvent: ({ input }, cache) => {
            const { eventId: id } = input as { eventId: string };
            return payload('SubscribeToEventPayload', subscribed(readEvent(cache, { __typename: 'Event', id })));
          },
          updateEventSubscription: ({ input }, cache) => {
            const { id } = input as { id: string };
            const event = cache.resolve({ __typename: 'EventSubscription', id }, 'event') as Entity;
            return payload('UpdateEventSubscriptionPayload', cancelled(readEvent(cache, event)));
          },
        },
      }),
      fetchExchange,
    ],
  });
}

function readEvent(cache: Cache, entity: Entity): Subscribed {
  const read = (field: string) => cache.resolve(entity, field);
  const own = read('viewerSubscription') as Entity;
  const readOwn = (field: string) => cache.resolve(own, field) as string;
  return {
    id: read('id') as string,
    acceptedCount: read('acceptedCount') as number,
    availability: read('availability') as string,
    viewerSubscription: own ? { id: readOwn('id'), status: readOwn('status') } : null,
  };
}

/** The answer that is expected, with the types of its objects. */
function payload(__typename: string, { id, viewerSubscription, ...event }: Subscribed): DataFields {
  const reference = { __typename: 'Event', id };
  const own = viewerSubscription && { __typename: 'EventSubscription', ...viewerSubscription, event: reference };
  return { __typename, event: { ...reference, ...event, viewerSubscription: own } };
}
