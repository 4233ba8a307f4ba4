import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { useMutation } from '@apollo/client/react';
import { type FragmentOf, readFragment } from 'gql.tada';
import { EventItem } from '../../shared/EventItem.tsx';
import { cancelled, subscribed } from '../../shared/optimistic.ts';
import type { Answered } from '../../shared/Questions.tsx';
import { refusedBy } from '../../shared/refused.ts';
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
  const error = subscribing.error ?? cancelling.error;
  return (
    <EventItem
      event={fields}
      busy={subscribing.loading || cancelling.loading}
      refused={error && refusedBy(error, CombinedGraphQLErrors.is(error) ? error.errors : [])}
      onSubscribe={(given) => onSubscribe(given).catch(ignore)}
      onCancel={(subscription) => onCancel(subscription).catch(ignore)}
    />
  );
}
