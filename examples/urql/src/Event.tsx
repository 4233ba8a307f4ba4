import { type FragmentOf, readFragment } from 'gql.tada';
import { useMutation } from 'urql';
import { EventItem } from '../../shared/EventItem.tsx';
import { refusedBy } from '../../shared/refused.ts';
import { Cancel, EventFields, Subscribe } from './documents.ts';

/** The cache shows the expected answer at once (`optimistic` in urql.ts), and takes it back if the service refuses. */
export function Event({ event }: { event: FragmentOf<typeof EventFields> }) {
  const fields = readFragment(EventFields, event);
  const [subscribing, subscribe] = useMutation(Subscribe);
  const [cancelling, cancel] = useMutation(Cancel);
  const error = subscribing.error ?? cancelling.error;
  return (
    <EventItem
      event={fields}
      busy={subscribing.fetching || cancelling.fetching}
      refused={error && refusedBy(error, error.graphQLErrors)}
      onSubscribe={(given) => void subscribe({ event: fields.id, ...given })}
      onCancel={(subscription) => void cancel({ subscription })}
    />
  );
}
