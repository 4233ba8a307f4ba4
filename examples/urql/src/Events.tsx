import { earlierPage, laterPage } from 'events-gateway-client/urql';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import type { Where } from '../../shared/Filter.tsx';
import { More } from '../../shared/More.tsx';
import { monthOf, now, size } from '../../shared/when.ts';
import { EventsPage } from './documents.ts';
import { Event } from './Event.tsx';

/** Pages in both directions: the query of any page answers the whole list of its filter, which changes keep in order. */
export function Events({ where }: { where: Where }) {
  const urql = useClient();
  const [page, setPage] = useState<object>({ from: now, first: size });
  const [{ data, error }] = useQuery({ query: EventsPage, variables: { where, ...page } });
  if (error && !data) throw error;
  if (!data) return <p aria-busy="true">Loading…</p>;
  const { nodes, pageInfo, totalCount } = data.events;
  const months = nodes.map(monthOf);
  const load = async (further: object) => {
    const { error: failure } = await urql.query(EventsPage, { where, ...further });
    if (failure) throw failure;
    setPage(further);
  };
  return (
    <>
      <p className="quiet">Events in all: {totalCount}</p>
      {pageInfo.hasPreviousPage && <More label="Earlier events" load={() => load(earlierPage(pageInfo, size))} />}
      {nodes.length === 0 && <p>No events from now on.</p>}
      <ol>
        {nodes.map((node, index) => (
          <Event key={node.id} event={node} month={months[index] === months[index - 1] ? undefined : months[index]} />
        ))}
      </ol>
      {pageInfo.hasNextPage && <More label="Later events" load={() => load(laterPage(pageInfo, size))} />}
    </>
  );
}
