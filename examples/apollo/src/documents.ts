import { graphql } from '../../shared/graphql.ts';

export const EventFields = graphql(`
  fragment EventFields on Event {
    __typename
    id
    name
    dateStart
    timezone
    status
    capacity
    acceptedCount
    availability
    viewerSubscription { __typename id status }
  }
`);

export const EventsPage = graphql(
  `
    query EventsPage($where: EventWhere, $from: DateTime, $first: Int, $after: String, $last: Int, $before: String) {
      events(where: $where, from: $from, first: $first, after: $after, last: $last, before: $before) {
        edges { cursor node { id dateStart ...EventFields } }
        pageInfo { startCursor endCursor hasPreviousPage hasNextPage }
      }
    }
  `,
  [EventFields],
);

export const Subscribe = graphql(`
  mutation Subscribe($event: ID!, $answers: JSON, $formVersion: Int) {
    subscribeToEvent(input: { eventId: $event, answers: $answers, formVersion: $formVersion }) {
      __typename
      event { __typename id acceptedCount availability viewerSubscription { __typename id status } }
    }
  }
`);

export const Cancel = graphql(`
  mutation Cancel($subscription: ID!) {
    updateEventSubscription(input: { id: $subscription, status: CANCELLED }) {
      __typename
      event { __typename id acceptedCount availability viewerSubscription { __typename id status } }
    }
  }
`);

/** Each payload brings the object as it is now, so the cache needs no code to change what is shown. */
export const Changes = graphql(
  `
    subscription Changes($after: String!) {
      changes(after: $after, kinds: [EVENT, SUBSCRIPTION]) {
        cursor
        change {
          kind
          op
          object {
            __typename
            id
            ... on Event { ...EventFields }
            ... on EventSubscription { event { id ...EventFields } }
          }
        }
      }
    }
  `,
  [EventFields],
);
