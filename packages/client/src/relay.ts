import {
  ConnectionHandler,
  DefaultHandlerProvider,
  Environment,
  type EnvironmentConfig,
  type HandleFieldPayload,
  type MissingFieldHandler,
  Network,
  Observable,
  type PayloadData,
  RecordSource,
  type RecordSourceProxy,
  ROOT_TYPE,
  Store,
} from 'relay-runtime';
import { createGraphql } from './graphql.ts';
import { GraphqlStreams } from './graphql-stream.ts';
import type { Client } from './index.ts';
import { rememberList } from './relay-changes.ts';

export { cancelled, subscribed } from './expected.ts';
export { applyChange } from './relay-changes.ts';

/** An environment for one session and organization; make a new one for the next. */
export function createEnvironment(client: Client, config: Partial<EnvironmentConfig> = {}): Environment {
  return new Environment({
    store: new Store(new RecordSource()),
    network: createNetwork(client),
    missingFieldHandlers,
    handlerProvider,
    ...config,
  });
}

/**
 * The network: queries and mutations, whose first error is thrown as an `ApiError`, and one stream for each subscription to
 * `changes(after: $after)`, which lasts until the session or the membership ends; `onError` has the reason.
 */
export function createNetwork(client: Client): ReturnType<typeof Network.create> {
  const streams = new GraphqlStreams(client);
  const run = createGraphql(client.url, streams.fetch);
  return Network.create(
    async ({ text }, variables) => ({ data: await run<PayloadData>(text ?? '', variables) }),
    ({ text }, variables) =>
      Observable.create((sink) =>
        streams.subscribe(
          { query: text ?? '', variables },
          { next: (result) => sink.next(result as never), error: (reason) => sink.error(reason) },
        ),
      ),
  );
}

/** Lets `event(id:)` show what a list has already read. */
export const missingFieldHandlers: MissingFieldHandler[] = [
  {
    kind: 'linked',
    handle: ({ name }, parent, { id }) =>
      parent?.getType() === ROOT_TYPE && (name === 'node' || name === 'event') && typeof id === 'string'
        ? id
        : undefined,
  },
];

/** Connections as Relay keeps them, with the arguments that `applyChange` needs to place an object. */
export const handlerProvider: NonNullable<EnvironmentConfig['handlerProvider']> = (handle) =>
  handle === 'connection' ? connectionHandler : DefaultHandlerProvider(handle);

const connectionHandler = {
  update(store: RecordSourceProxy, payload: HandleFieldPayload) {
    ConnectionHandler.update(store, payload);
    rememberList(store, payload);
  },
};
