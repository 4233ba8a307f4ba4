import { Environment, Network, Observable, type PayloadData, RecordSource, Store } from 'relay-runtime';
import { service } from '../../shared/service.ts';
import { streams } from '../../shared/streams.ts';

/** What Relay knows, for one person in one organization. */
export function createEnvironment(): Environment {
  return new Environment({
    store: new Store(new RecordSource()),
    network: Network.create(
      async ({ text }, variables) => ({ data: await service.graphql<PayloadData>(text ?? '', variables) }),
      ({ text }, variables) =>
        Observable.create((sink) => streams.subscribe({ query: text ?? '', variables }, sink as never)),
    ),
  });
}
