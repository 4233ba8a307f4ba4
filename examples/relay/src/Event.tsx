import { useState } from 'react';
import { graphql, useFragment, useMutation } from 'react-relay';
import { EventItem } from '../../shared/EventItem.tsx';
import { cancelled, subscribed } from '../../shared/optimistic.ts';
import { type Refused, refusedBy } from '../../shared/refused.ts';
import type { Event_event$key } from './__generated__/Event_event.graphql.ts';
import type { EventCancelMutation } from './__generated__/EventCancelMutation.graphql.ts';
import type { EventSubscribeMutation } from './__generated__/EventSubscribeMutation.graphql.ts';

/** The store shows the expected answer at once, and takes it back if the service refuses. */
export function Event({ event }: { event: Event_event$key }) {
  const fields = useFragment(
    graphql`
      fragment Event_event on Event {
        id
        name
        dateStart
        timezone
        status
        capacity
        acceptedCount
        availability
        viewerSubscription {
          __typename
          id
          status
        }
      }
    `,
    event,
  );
  const [subscribe, isSubscribing] = useMutation<EventSubscribeMutation>(graphql`
    mutation EventSubscribeMutation($event: ID!, $answers: JSON, $formVersion: Int) {
      subscribeToEvent(input: { eventId: $event, answers: $answers, formVersion: $formVersion }) {
        event {
          ...Event_event @relay(mask: false)
        }
      }
    }
  `);
  const [cancel, isCancelling] = useMutation<EventCancelMutation>(graphql`
    mutation EventCancelMutation($subscription: ID!) {
      updateEventSubscription(input: { id: $subscription, status: CANCELLED }) {
        event {
          ...Event_event @relay(mask: false)
        }
      }
    }
  `);
  const [refused, setRefused] = useState<Refused>();
  const outcome = {
    onCompleted: () => setRefused(undefined),
    onError: (error: Error) => setRefused(refusedBy(error)),
  };
  return (
    <EventItem
      event={fields}
      busy={isSubscribing || isCancelling}
      refused={refused}
      onSubscribe={(given) =>
        subscribe({
          variables: { event: fields.id, ...given },
          optimisticResponse: { subscribeToEvent: { event: subscribed(fields) } },
          ...outcome,
        })
      }
      onCancel={(subscription) =>
        cancel({
          variables: { subscription },
          optimisticResponse: { updateEventSubscription: { event: cancelled(fields) } },
          ...outcome,
        })
      }
    />
  );
}
