import { useApolloClient, useMutation } from '@apollo/client/react';
import { cancelled, subscribed } from 'events-gateway-client/apollo';
import { type FragmentOf, readFragment } from 'gql.tada';
import type { ReactNode } from 'react';
import { type EventDetails, EventItem } from '../../shared/EventItem.tsx';
import type { Answered } from '../../shared/Questions.tsx';
import { Cancel, EventFields, EventForm, Subscribe } from './documents.ts';

interface EventProps {
  event: FragmentOf<typeof EventFields>;
  details?: EventDetails;
  month?: string | undefined;
  children?: ReactNode;
}

/** The cache shows the expected answer at once, and takes it back if the service refuses. */
export function Event({ event, details, month, children }: EventProps) {
  const apollo = useApolloClient();
  const fields = readFragment(EventFields, event);
  const [subscribe, subscribing] = useMutation(Subscribe);
  const [cancel, cancelling] = useMutation(Cancel);
  const readForm = async () => {
    const variables = { id: fields.id };
    const { data } = await apollo.query({ query: EventForm, variables, fetchPolicy: 'network-only' });
    const form = data?.event?.form;
    return form && form.questions.length > 0 ? form : null;
  };
  const onSubscribe = (given?: Answered) =>
    subscribe({
      variables: { event: fields.id, ...given },
      optimisticResponse: {
        subscribeToEvent: { __typename: 'SubscribeToEventPayload', event: subscribed(fields) as never },
      },
    });
  const onCancel = (subscription: string) =>
    cancel({
      variables: { subscription },
      optimisticResponse: {
        updateEventSubscription: { __typename: 'UpdateEventSubscriptionPayload', event: cancelled(fields) as never },
      },
    });
  // the hooks have the error, too
  const ignore = () => undefined;
  return (
    <EventItem
      event={fields}
      details={details}
      month={month}
      busy={subscribing.loading || cancelling.loading}
      error={subscribing.error ?? cancelling.error}
      readForm={readForm}
      onSubscribe={(given) => onSubscribe(given).catch(ignore)}
      onCancel={(subscription) => onCancel(subscription).catch(ignore)}
    >
      {children}
    </EventItem>
  );
}
