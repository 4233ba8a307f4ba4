import type { VariablesOf } from 'gql.tada';
import { useEffect, useRef, useState } from 'react';
import { useQuery } from 'urql';
import type { Where } from '../../shared/Filter.tsx';
import { now, size } from '../../shared/list.ts';
import { EventsPage } from './documents.ts';
import { Event } from './Event.tsx';

interface Shown {
  where: Where;
  /** Differs after each change for which the list has to be read again. */
  changed: string;
}

export function Events({ where, changed }: Shown) {
  const [earlier, setEarlier] = useState(0);
  const [later, setLater] = useState(0);
  return (
    <ol>
      <EventPages
        {...{ where, changed, earlier, later }}
        at={{ from: now, first: size }}
        onEarlier={() => setEarlier(earlier + 1)}
        onLater={() => setLater(later + 1)}
      />
    </ol>
  );
}

interface EventPagesProps extends Shown {
  at: { from?: string; first?: number; after?: string | null; last?: number; before?: string | null };
  /** How many pages before and after this one are open. */
  earlier: number;
  later: number;
  onEarlier?(): void;
  onLater?(): void;
}

/**
 * A page, between those before and after it. Each is a query of its own that begins where its neighbour ends, so nothing
 * is missing and nothing twice when one of them is read again.
 */
function EventPages({ where, changed, at, earlier, later, onEarlier, onLater }: EventPagesProps) {
  const { data, error } = useEventsPage({ where, ...at }, changed);
  if (error) throw error;
  if (!data) return <li aria-busy="true">Loading…</li>;
  const { nodes, pageInfo } = data.events;
  const before = { last: size, before: pageInfo.startCursor };
  const after = { first: size, after: pageInfo.endCursor };
  return (
    <>
      {earlier > 0 && pageInfo.hasPreviousPage && (
        <EventPages {...{ where, changed, onEarlier }} at={before} earlier={earlier - 1} later={0} />
      )}
      {earlier === 0 && onEarlier && pageInfo.hasPreviousPage && (
        <li>
          <button type="button" onClick={onEarlier}>
            Earlier events
          </button>
        </li>
      )}
      {nodes.length === 0 && <li>No events from now on.</li>}
      {nodes.map((event) => (
        <Event key={event.id} event={event} />
      ))}
      {later === 0 && onLater && pageInfo.hasNextPage && (
        <li>
          <button type="button" onClick={onLater}>
            Later events
          </button>
        </li>
      )}
      {later > 0 && pageInfo.hasNextPage && (
        <EventPages {...{ where, changed, onLater }} at={after} earlier={0} later={later - 1} />
      )}
    </>
  );
}

/** A page that is read again after changes: not before the last reading has ended, whose answer may be older. */
function useEventsPage(variables: VariablesOf<typeof EventsPage>, changed: string) {
  const [result, read] = useQuery({ query: EventsPage, variables, requestPolicy: 'cache-and-network' });
  const isReading = result.fetching || result.stale;
  const known = useRef(changed);
  useEffect(() => {
    if (isReading || known.current === changed) return;
    known.current = changed;
    read({ requestPolicy: 'network-only' });
  }, [isReading, changed, read]);
  return result;
}
