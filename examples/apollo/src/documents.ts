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
    placesLeft
    availability
    viewerSubscription { __typename id status waitingPosition }
  }
`);

export const EventsPage = graphql(
  `
    query EventsPage($where: EventWhere, $from: DateTime, $first: Int, $after: String, $last: Int, $before: String) {
      events(where: $where, from: $from, first: $first, after: $after, last: $last, before: $before) {
        edges { node { id dateStart timezone ...EventFields } }
        pageInfo { startCursor endCursor hasPreviousPage hasNextPage }
        totalCount
      }
    }
  `,
  [EventFields],
);

const SubscriptionFields = graphql(`
  fragment SubscriptionFields on EventSubscription @_unmask { id attendeeName status createdAt waitingPosition }
`);

export const EventPage = graphql(
  `
    query EventPage($id: ID!, $isManager: Boolean!) {
      event(id: $id) {
        id
        description
        location
        url
        ...EventFields
        subscriptions(first: 50) @include(if: $isManager) {
          nodes { ...SubscriptionFields }
          pageInfo { hasPreviousPage hasNextPage }
        }
      }
    }
  `,
  [EventFields, SubscriptionFields],
);

export const EventForm = graphql(`
  query EventForm($id: ID!) {
    event(id: $id) {
      id
      form { id version questions { key type label help required min max options { value label } } }
    }
  }
`);

export const Subscribe = graphql(
  `
    mutation Subscribe($event: ID!, $answers: JSON, $formVersion: Int) {
      subscribeToEvent(input: { eventId: $event, answers: $answers, formVersion: $formVersion }) {
        __typename
        event { ...EventFields }
      }
    }
  `,
  [EventFields],
);

export const Cancel = graphql(
  `
    mutation Cancel($subscription: ID!) {
      updateEventSubscription(input: { id: $subscription, status: CANCELLED }) {
        __typename
        event { ...EventFields }
      }
    }
  `,
  [EventFields],
);

/** With all that the lists show and filter by: so no list has to be read again. */
export const Changes = graphql(
  `
    subscription Changes($after: String) {
      changes(after: $after) {
        cursor
        change {
          id
          kind
          op
          objectGlobalId
          event { id description location url ...EventFields }
          subscription { ...SubscriptionFields event { id ...EventFields } }
        }
      }
    }
  `,
  [EventFields, SubscriptionFields],
);
