import { cancelled, subscribed } from 'events-gateway-client/relay';
import { type ReactNode, useState } from 'react';
import { fetchQuery, graphql, useFragment, useMutation, useRelayEnvironment } from 'react-relay';
import { type EventDetails, EventItem } from '../../shared/EventItem.tsx';
import type { Form } from '../../shared/Questions.tsx';
import type { Event_event$key } from './__generated__/Event_event.graphql.ts';
import type { EventCancelMutation } from './__generated__/EventCancelMutation.graphql.ts';
import type { EventFormQuery } from './__generated__/EventFormQuery.graphql.ts';
import type { EventSubscribeMutation } from './__generated__/EventSubscribeMutation.graphql.ts';

const formQuery = graphql`
  query EventFormQuery($id: ID!) {
    event(id: $id) {
      form {
        version
        questions {
          key
          type
          label
          help
          required
          min
          max
          options {
            value
            label
          }
        }
      }
    }
  }
`;

interface EventProps {
  event: Event_event$key;
  details?: EventDetails;
  month?: string | undefined;
  children?: ReactNode;
}

/** The store shows the expected answer at once, and takes it back if the service refuses. */
export function Event({ event, details, month, children }: EventProps) {
  const environment = useRelayEnvironment();
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
        placesLeft
        availability
        viewerSubscription {
          __typename
          id
          status
          waitingPosition
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
  const [error, setError] = useState<Error | null>(null);
  const outcome = { onCompleted: () => setError(null), onError: setError };
  const readForm = async () => {
    const variables = { id: fields.id };
    const found = await fetchQuery<EventFormQuery>(environment, formQuery, variables).toPromise();
    const form = found?.event?.form;
    return form && form.questions.length > 0 ? (form as Form) : null;
  };
  return (
    <EventItem
      event={fields}
      details={details}
      month={month}
      busy={isSubscribing || isCancelling}
      error={error}
      readForm={readForm}
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
    >
      {children}
    </EventItem>
  );
}
