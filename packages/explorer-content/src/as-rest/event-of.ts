import type { NoTwin, RestRequest } from './request.ts';
import { globalIdIn } from './values.ts';

type Requests = readonly (RestRequest | NoTwin)[];

/** The path of a subscription contains its event, which a GraphQL operation on the subscription does not name. */
const open = '/events/{event}/subscriptions';

/** The REST id of a subscription whose event is missing in the requests; null if there is none. */
export function subscriptionWithoutEvent(requests: Requests): string | null {
  for (const request of requests) {
    if ('reason' in request || !request.path.startsWith(open)) continue;
    const [inPath] = /[\da-f-]{36}/.exec(request.path) ?? [];
    const [inBody] = (request.body as { ids?: string[] } | undefined)?.ids ?? [];
    const id = inPath ?? inBody;
    if (id) return id;
  }
  return null;
}

export function withEvent(requests: Requests, event: string): Requests {
  return requests.map((request) => {
    if ('reason' in request || !request.path.startsWith(open)) return request;
    const notes = request.notes.filter((note) => !note.startsWith('{event}'));
    return { ...request, path: request.path.replace('{event}', event), notes };
  });
}

export function eventQuery(subscription: string): { query: string; variables: { id: string } } {
  const query = 'query EventOf($id: ID!) { node(id: $id) { ... on EventSubscription { event { id } } } }';
  return { query, variables: { id: btoa(`EventSubscription:${subscription}`) } };
}

export function eventIn(answer: unknown): string | null {
  const { data } = answer as { data?: { node?: { event?: { id: string } } | null } | null };
  return globalIdIn(data?.node?.event?.id)?.id ?? null;
}
