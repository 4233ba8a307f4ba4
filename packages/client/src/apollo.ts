import {
  type ApolloCache,
  ApolloLink,
  type FieldReadFunction,
  HttpLink,
  Observable,
  type TypePolicies,
} from '@apollo/client';
import type { Modifier } from '@apollo/client/cache';
import { isReference, print } from '@apollo/client/utilities';
import { connection, forget, type NodeType, remember, type StoredList, settled } from './apollo-lists.ts';
import type { AppliedChange } from './applied-change.ts';
import { GraphqlStreams } from './graphql-stream.ts';
import type { Client } from './index.ts';
import { isGone } from './lists.ts';
import { connections, possibleTypes } from './schema-facts.ts';

export type { AppliedChange } from './applied-change.ts';
export { cancelled, subscribed } from './expected.ts';
export { earlierPage, laterPage } from './page-variables.ts';
export { possibleTypes };

/**
 * A link for all operations: HTTP for queries and mutations, and one stream for each subscription to `changes(after:
 * $after)`, which lasts until the session or the membership ends. Errors of HTTP and of streams are an `ApiError`.
 */
export function createLink(client: Client): ApolloLink {
  const streams = new GraphqlStreams(client);
  const http = new HttpLink({ uri: `${client.url}/graphql`, fetch: streams.fetch });
  const live = new ApolloLink(
    ({ query, variables }) =>
      new Observable((observer) =>
        streams.subscribe(
          { query: print(query), variables },
          { next: (result) => observer.next(result as never), error: (reason) => observer.error(reason) },
        ),
      ),
  );
  return ApolloLink.split(({ operationType }) => operationType === 'subscription', live, http);
}

const lists = Object.entries(connections).map(([type, names]) => {
  const fields = names.filter((name) => name !== 'changes').map((name) => [name, connection]);
  return [type, { fields: Object.fromEntries(fields) }] as const;
});

const event: FieldReadFunction = (existing, { args, toReference }) =>
  existing ?? toReference({ __typename: 'Event', id: args?.id });

/** For `InMemoryCache`: connections whose pages join in both directions, and `event(id:)` from the cache. */
export const typePolicies: TypePolicies = Object.fromEntries([
  ...lists,
  ['Query', { fields: { ...Object.fromEntries(lists).Query?.fields, event } }],
]);

/**
 * Brings the lists of a cache up to date: the object is added, moved or removed by the filter and order of each list. A list
 * that the cache cannot decide about is dropped, and read again by the queries that show it.
 *
 * @param change with `kind op objectGlobalId` and the `id` of `event` or `subscription`, and in these what the lists show and
 * filter by; the `subscription` with its `event`
 */
export function applyChange(cache: ApolloCache, change: AppliedChange): void {
  const { kind, op, objectGlobalId } = change;
  const type = kind === 'SUBSCRIPTION' ? 'EventSubscription' : 'Event';
  const { id = objectGlobalId } = (kind === 'SUBSCRIPTION' ? change.subscription : change.event) ?? {};
  cache.batch({
    update() {
      if (op === 'REFETCH') return settle(cache, type, null, op);
      if (kind === 'FORM' || !id) return;
      const object = cache.identify({ __typename: type, id });
      if (!object) return;
      let event: string | undefined;
      if (kind === 'SUBSCRIPTION') {
        cache.modify<Record<string, unknown>>({
          id: object,
          fields: {
            event: (value) => {
              if (isReference(value)) event = value.__ref;
              return value;
            },
          },
        });
      }
      settle(cache, type, object, op, event);
      // its owner's newest subscription may be in a filter of events
      if (event) settle(cache, 'Event', event, 'CHANGED');
      if (isGone(op)) cache.evict({ id: object });
    },
  });
}

/** @param object its key in the cache; null if all lists of its type are out of date */
function settle(cache: ApolloCache, type: NodeType, object: string | null, op: string, event?: string): void {
  if (object) (isGone(op) ? forget : remember)(cache, object, type);
  const field = type === 'Event' ? 'events' : 'eventSubscriptions';
  const owners: [id: string, field: string][] = [['ROOT_QUERY', field]];
  if (event) owners.push([event, 'subscriptions']);
  cache.modify<Record<string, unknown>>({
    fields: {
      organization: (value) => {
        if (isReference(value)) owners.push([value.__ref, field]);
        return value;
      },
    },
  });
  for (const [id, name] of owners) {
    const update: Modifier<unknown> = (stored, { readField, DELETE }) => {
      const list = stored as StoredList | null;
      if (!list?.list) return stored;
      return object ? (settled(list, type, object, readField as never, op) ?? DELETE) : DELETE;
    };
    cache.modify<Record<string, unknown>>({ id, fields: { [name]: update as never } });
  }
}
