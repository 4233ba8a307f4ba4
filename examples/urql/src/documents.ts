import { graphql } from '../../shared/graphql.ts';

export const EventFields = graphql(`
  fragment EventFields on Event {
    id
    name
    dateStart
    timezone
    status
    capacity
    acceptedCount
    availability
    viewerSubscription { id status event { id } }
  }
`);

export const EventsPage = graphql(
  `
    query EventsPage($where: EventWhere, $from: DateTime, $first: Int, $after: String, $last: Int, $before: String) {
      events(where: $where, from: $from, first: $first, after: $after, last: $last, before: $before) {
        nodes { id ...EventFields }
        pageInfo { startCursor endCursor hasPreviousPage hasNextPage }
      }
    }
  `,
  [EventFields],
);

export const Subscribe = graphql(`
  mutation Subscribe($event: ID!, $answers: JSON, $formVersion: Int) {
    subscribeToEvent(input: { eventId: $event, answers: $answers, formVersion: $formVersion }) {
      event { id acceptedCount availability viewerSubscription { id status event { id } } }
    }
  }
`);

export const Cancel = graphql(`
  mutation Cancel($subscription: ID!) {
    updateEventSubscription(input: { id: $subscription, status: CANCELLED }) {
      event { id acceptedCount availability viewerSubscription { id status event { id } } }
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
          id
          kind
          op
          object {
            __typename
            ... on Event { id ...EventFields }
            ... on EventSubscription { id event { id ...EventFields } }
          }
        }
      }
    }
  `,
  [EventFields],
);
