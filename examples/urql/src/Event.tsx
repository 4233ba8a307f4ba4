import { type FragmentOf, readFragment } from 'gql.tada';
import type { ReactNode } from 'react';
import { useClient, useMutation } from 'urql';
import { type EventDetails, EventItem } from '../../shared/EventItem.tsx';
import { Cancel, EventFields, EventForm, Subscribe } from './documents.ts';

interface EventProps {
  event: FragmentOf<typeof EventFields>;
  details?: EventDetails;
  month?: string | undefined;
  children?: ReactNode;
}

/** The cache shows the expected answer at once, and takes it back if the service refuses. */
export function Event({ event, details, month, children }: EventProps) {
  const urql = useClient();
  const fields = readFragment(EventFields, event);
  const [subscribing, subscribe] = useMutation(Subscribe);
  const [cancelling, cancel] = useMutation(Cancel);
  const readForm = async () => {
    const { data, error } = await urql.query(EventForm, { id: fields.id }, { requestPolicy: 'network-only' });
    if (error) throw error;
    const form = data?.event?.form;
    return form && form.questions.length > 0 ? form : null;
  };
  return (
    <EventItem
      event={fields}
      details={details}
      month={month}
      busy={subscribing.fetching || cancelling.fetching}
      error={subscribing.error ?? cancelling.error}
      readForm={readForm}
      onSubscribe={(given) => void subscribe({ event: fields.id, ...given })}
      onCancel={(subscription) => void cancel({ subscription })}
    >
      {children}
    </EventItem>
  );
}
