import { graphql, useLazyLoadQuery } from 'react-relay';
import { Subscribers } from '../../shared/Subscribers.tsx';
import type { EventPageQuery } from './__generated__/EventPageQuery.graphql.ts';
import { Event } from './Event.tsx';

/** One event: what the list has read is there at once. */
export function EventPage({ id, isManager, round }: { id: string; isManager: boolean; round: number }) {
  const { event } = useLazyLoadQuery<EventPageQuery>(
    graphql`
      query EventPageQuery($id: ID!, $isManager: Boolean!) {
        event(id: $id) {
          description
          location
          url
          ...Event_event
          subscriptions(first: 50) @include(if: $isManager) @connection(key: "EventPage_subscriptions") {
            edges {
              node {
                id
                createdAt
                attendeeName
                status
                waitingPosition
              }
            }
          }
        }
      }
    `,
    { id, isManager },
    { fetchKey: round },
  );
  return (
    <>
      <p>
        <a href="./#">All events</a>
      </p>
      {event ? (
        <ol>
          <Event event={event} details={event}>
            {event.subscriptions && <Subscribers all={event.subscriptions.edges.map(({ node }) => node)} />}
          </Event>
        </ol>
      ) : (
        <p>There is no such event.</p>
      )}
    </>
  );
}
