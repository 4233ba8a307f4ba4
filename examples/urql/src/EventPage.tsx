import { useQuery } from 'urql';
import { Subscribers } from '../../shared/Subscribers.tsx';
import { EventPage as EventPageQuery } from './documents.ts';
import { Event } from './Event.tsx';

/** One event: what the list has read is there at once. */
export function EventPage({ id, isManager }: { id: string; isManager: boolean }) {
  const [{ data, error }] = useQuery({ query: EventPageQuery, variables: { id, isManager } });
  if (error) throw error;
  if (!data) return <p aria-busy="true">Loading…</p>;
  const { event } = data;
  return (
    <>
      <p>
        <a href="./#">All events</a>
      </p>
      {event ? (
        <ol>
          <Event event={event} details={event}>
            {event.subscriptions && <Subscribers all={event.subscriptions.nodes} />}
          </Event>
        </ol>
      ) : (
        <p>There is no such event.</p>
      )}
    </>
  );
}
