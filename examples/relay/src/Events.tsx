import { startTransition } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { Where } from '../../shared/Filter.tsx';
import { monthOf, now, size } from '../../shared/when.ts';
import type { Events_list$key } from './__generated__/Events_list.graphql.ts';
import type { EventsPageQuery } from './__generated__/EventsPageQuery.graphql.ts';
import type { EventsQuery } from './__generated__/EventsQuery.graphql.ts';
import { Event } from './Event.tsx';

/** @param round differs after the store was invalidated */
export function Events({ where, round }: { where: Where; round: number }) {
  const data = useLazyLoadQuery<EventsQuery>(
    graphql`
      query EventsQuery($where: EventWhere, $from: DateTime, $first: Int) {
        ...Events_list @arguments(where: $where, from: $from, first: $first)
      }
    `,
    { where, from: now, first: size },
    { fetchKey: round },
  );
  return <EventList list={data} />;
}

/** Pages in both directions; the connection is one list for each filter, and changes keep it in order. */
function EventList({ list }: { list: Events_list$key }) {
  const { data, hasPrevious, hasNext, loadPrevious, loadNext, refetch } = usePaginationFragment<
    EventsPageQuery,
    Events_list$key
  >(
    graphql`
      fragment Events_list on Query
      @refetchable(queryName: "EventsPageQuery")
      @argumentDefinitions(
        where: { type: "EventWhere" }
        from: { type: "DateTime" }
        first: { type: "Int" }
        after: { type: "String" }
        last: { type: "Int" }
        before: { type: "String" }
      ) {
        events(where: $where, from: $from, first: $first, after: $after, last: $last, before: $before)
          @connection(key: "Events_events", filters: ["where"]) {
          edges {
            node {
              id
              dateStart
              timezone
              ...Event_event
            }
          }
          pageInfo {
            hasPreviousPage
          }
        }
      }
    `,
    list,
  );
  // a page has its place by a cursor or by a time
  const byCursor = { UNSTABLE_extraVariables: { from: null } };
  const { edges, pageInfo } = data.events;
  const months = edges.map(({ node }) => monthOf(node));
  const loadEarlier = () => {
    if (hasPrevious) loadPrevious(size, byCursor);
    // an empty page has no cursor: what precedes it are the last of all
    else startTransition(() => void refetch({ from: null, first: null, last: size }));
  };
  return (
    <>
      {pageInfo.hasPreviousPage && (
        <button type="button" onClick={loadEarlier}>
          Earlier events
        </button>
      )}
      {edges.length === 0 && <p>No events from now on.</p>}
      <ol>
        {edges.map(({ node }, index) => (
          <Event key={node.id} event={node} month={months[index] === months[index - 1] ? undefined : months[index]} />
        ))}
      </ol>
      {hasNext && (
        <button type="button" onClick={() => loadNext(size, byCursor)}>
          Later events
        </button>
      )}
    </>
  );
}
