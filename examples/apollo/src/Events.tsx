import { useQuery } from '@apollo/client/react';
import { earlierPage, laterPage } from 'events-gateway-client/apollo';
import type { Where } from '../../shared/Filter.tsx';
import { More } from '../../shared/More.tsx';
import { monthOf, now, size } from '../../shared/when.ts';
import { EventsPage } from './documents.ts';
import { Event } from './Event.tsx';

/** Pages in both directions: each `fetchMore` joins the list of its filter, and changes keep it in order. */
export function Events({ where }: { where: Where }) {
  const { data, error, fetchMore } = useQuery(EventsPage, { variables: { where, from: now, first: size } });
  if (error && !data) throw error;
  if (!data) return <p aria-busy="true">Loading…</p>;
  const { edges, pageInfo, totalCount } = data.events;
  const months = edges.map(({ node }) => monthOf(node));
  return (
    <>
      <p className="quiet">Events in all: {totalCount}</p>
      {pageInfo.hasPreviousPage && (
        <More label="Earlier events" load={() => fetchMore({ variables: earlierPage(pageInfo, size) })} />
      )}
      {edges.length === 0 && <p>No events from now on.</p>}
      <ol>
        {edges.map(({ node }, index) => (
          <Event key={node.id} event={node} month={months[index] === months[index - 1] ? undefined : months[index]} />
        ))}
      </ol>
      {pageInfo.hasNextPage && (
        <More label="Later events" load={() => fetchMore({ variables: laterPage(pageInfo, size) })} />
      )}
    </>
  );
}
