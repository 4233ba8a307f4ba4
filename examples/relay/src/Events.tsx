import { type RefObject, startTransition } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { Where } from '../../shared/Filter.tsx';
import { now, type OpenPart, size, useOpenPart } from '../../shared/list.ts';
import type { Events_list$key } from './__generated__/Events_list.graphql.ts';
import type { EventsPageQuery } from './__generated__/EventsPageQuery.graphql.ts';
import type { EventsQuery } from './__generated__/EventsQuery.graphql.ts';
import { Event } from './Event.tsx';

export function Events({ where, open }: { where: Where; open: RefObject<OpenPart> }) {
  const data = useLazyLoadQuery<EventsQuery>(
    graphql`
      query EventsQuery($where: EventWhere, $from: DateTime, $first: Int) {
        ...Events_list @arguments(where: $where, from: $from, first: $first)
      }
    `,
    { where, from: now, first: size },
    { fetchPolicy: 'store-and-network' },
  );
  return <EventList list={data} open={open} />;
}

function EventList({ list, open }: { list: Events_list$key; open: RefObject<OpenPart> }) {
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
  const { edges: events, pageInfo } = data.events;
  useOpenPart(
    open,
    events.map(({ node }) => node),
  );
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
      {events.length === 0 && <p>No events from now on.</p>}
      <ol>
        {events.map(({ node }) => (
          <Event key={node.id} event={node} />
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
