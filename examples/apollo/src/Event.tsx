import { useMutation } from '@apollo/client/react';
import { type FragmentOf, readFragment } from 'gql.tada';
import { EventItem } from '../../shared/EventItem.tsx';
import { cancelled, subscribed } from '../../shared/optimistic.ts';
import type { Answered } from '../../shared/Questions.tsx';
import { Cancel, EventFields, Subscribe } from './documents.ts';

/** The cache shows the expected answer at once, and takes it back if the service refuses. */
export function Event({ event }: { event: FragmentOf<typeof EventFields> }) {
  const fields = readFragment(EventFields, event);
  const [subscribe, subscribing] = useMutation(Subscribe);
  const [cancel, cancelling] = useMutation(Cancel);
  const onSubscribe = (given?: Answered) =>
    subscribe({
      variables: { event: fields.id, ...given },
      optimisticResponse: {
        subscribeToEvent: { __typename: 'SubscribeToEventPayload', event: subscribed(fields) },
      },
    });
  const onCancel = (subscription: string) =>
    cancel({
      variables: { subscription },
      optimisticResponse: {
        updateEventSubscription: { __typename: 'UpdateEventSubscriptionPayload', event: cancelled(fields) },
      },
    });
  // the hooks tell the error, too
  const ignore = () => undefined;
  return (
    <EventItem
      event={fields}
      busy={subscribing.loading || cancelling.loading}
      refusal={(subscribing.error ?? cancelling.error)?.message}
      onSubscribe={(given) => onSubscribe(given).catch(ignore)}
      onCancel={(subscription) => onCancel(subscription).catch(ignore)}
    />
  );
}
