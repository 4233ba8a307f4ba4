import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { type FormattedExecutionResult, OperationTypeNode, print } from 'graphql';
import { service, url } from '../../shared/service.ts';
import { streams } from '../../shared/streams.ts';

/** Which types `Change.object` may have here; the cache matches fragments by them. */
const possibleTypes = { Node: ['Event', 'EventSubscription'] };

/** A client for one person in one organization. */
export function createApollo(): ApolloClient {
  // adds the token and the organization
  const requests = new HttpLink({ uri: `${url}/graphql`, fetch: service.fetch });
  const subscriptions = new ApolloLink(
    ({ query, variables }) =>
      new Observable((observer) =>
        streams.subscribe(
          { query: print(query), variables },
          {
            next: (result) => observer.next(result as FormattedExecutionResult),
            error: (error) => observer.error(error),
            complete: () => observer.complete(),
          },
        ),
      ),
  );
  return new ApolloClient({
    // one list for each filter: the pages of both directions join it
    cache: new InMemoryCache({
      possibleTypes,
      typePolicies: { Query: { fields: { events: relayStylePagination(['where']) } } },
    }),
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      subscriptions,
      requests,
    ),
  });
}
