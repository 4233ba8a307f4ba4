import { startTransition } from 'react';
import { fetchQuery, graphql, useLazyLoadQuery, usePaginationFragment, useRelayEnvironment } from 'react-relay';
import type { Where } from '../../shared/Filter.tsx';
import { More } from '../../shared/More.tsx';
import { monthOf, now, size } from '../../shared/when.ts';
import type { Events_list$key } from './__generated__/Events_list.graphql.ts';
import eventsPage, { type EventsPageQuery } from './__generated__/EventsPageQuery.graphql.ts';
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
  return <EventList list={data} where={where} />;
}

/** Pages in both directions; the connection is one list for each filter, and changes keep it in order. */
function EventList({ list, where }: { list: Events_list$key; where: Where }) {
  const environment = useRelayEnvironment();
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
          totalCount
        }
      }
    `,
    list,
  );
  const { edges, pageInfo, totalCount } = data.events;
  const months = edges.map(({ node }) => monthOf(node));
  const load = (page: typeof loadNext) =>
    new Promise<void>((resolve, reject) => {
      const onComplete = (error: Error | null) => (error ? reject(error) : resolve());
      // a page has its place by a cursor or by a time
      page(size, { onComplete, UNSTABLE_extraVariables: { from: null } });
    });
  /** An empty page has no cursor: what precedes it are the last of all. */
  const loadLast = async () => {
    const last = { from: null, first: null, last: size };
    await fetchQuery(environment, eventsPage, { where, ...last }).toPromise();
    startTransition(() => void refetch(last, { fetchPolicy: 'store-only' }));
  };
  return (
    <>
      <p className="quiet">Events in all: {totalCount}</p>
      {pageInfo.hasPreviousPage && (
        <More label="Earlier events" load={() => (hasPrevious ? load(loadPrevious) : loadLast())} />
      )}
      {edges.length === 0 && <p>No events from now on.</p>}
      <ol>
        {edges.map(({ node }, index) => (
          <Event key={node.id} event={node} month={months[index] === months[index - 1] ? undefined : months[index]} />
        ))}
      </ol>
      {hasNext && <More label="Later events" load={() => load(loadNext)} />}
    </>
  );
}
