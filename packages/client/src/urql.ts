import { type Exchange, fetchExchange, subscriptionExchange, Client as UrqlClient } from '@urql/core';
import { type CacheExchangeOpts, cacheExchange } from '@urql/exchange-graphcache';
import { GraphqlStreams } from './graphql-stream.ts';
import type { Client } from './index.ts';
import { cacheOptions } from './urql-cache.ts';

export type { AppliedChange } from './applied-change.ts';
export { earlierPage, laterPage } from './page-variables.ts';
export { applyChange } from './urql-changes.ts';

/**
 * A client of urql for one session and organization; make a new one for the next.
 *
 * @param options of the cache, see {@link createExchanges}
 */
export function createUrqlClient(client: Client, options: CacheExchangeOpts = {}): UrqlClient {
  const { exchanges, fetch } = createExchanges(client, options);
  return new UrqlClient({ url: `${client.url}/graphql`, fetch, preferGetMethod: false, exchanges });
}

/**
 * What a client of urql needs, to put more exchanges between: the cache, whose lists join their pages and follow the changes
 * of a subscription to `changes(after: $after)`; one stream for each subscription, which lasts until the session or the
 * membership ends; and `fetch` with the token and the organization. Errors of HTTP and of streams are an `ApiError`, the
 * `networkError` of urql's.
 *
 * @param options of the cache: `schema` (its introspection, without which fragments on interfaces are guessed), and more
 * `keys`, `resolvers`, `updates` and `optimistic`
 */
export function createExchanges(
  client: Client,
  options: CacheExchangeOpts = {},
): { exchanges: Exchange[]; fetch: typeof fetch } {
  const streams = new GraphqlStreams(client);
  const live = subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: streams.subscribe(
          { query, variables: { ...variables } },
          { next: (result) => sink.next(result as never), error: (reason) => sink.error(reason) },
        ),
      }),
    }),
  });
  return {
    exchanges: [cacheExchange(cacheOptions(options)), live, fetchExchange],
    fetch: streams.fetch,
  };
}
