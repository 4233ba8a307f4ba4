import { useQuery } from '@apollo/client/react';
import type { RefObject } from 'react';
import type { Where } from '../../shared/Filter.tsx';
import { now, type OpenPart, size, useOpenPart } from '../../shared/list.ts';
import { EventsPage } from './documents.ts';
import { Event } from './Event.tsx';

export function Events({ where, open }: { where: Where; open: RefObject<OpenPart> }) {
  const { data, error, fetchMore } = useQuery(EventsPage, {
    variables: { where, from: now, first: size },
    fetchPolicy: 'cache-and-network',
  });
  useOpenPart(open, data?.events.edges.map(({ node }) => node) ?? []);
  if (error) throw error;
  if (!data) return <p aria-busy="true">Loading…</p>;
  const { edges, pageInfo } = data.events;
  const earlier = { first: null, after: null, last: size, before: pageInfo.startCursor };
  const later = { first: size, after: pageInfo.endCursor, last: null, before: null };
  return (
    <>
      {pageInfo.hasPreviousPage && (
        <button type="button" onClick={() => fetchMore({ variables: { from: null, ...earlier } })}>
          Earlier events
        </button>
      )}
      {edges.length === 0 && <p>No events from now on.</p>}
      <ol>
        {edges.map(({ node }) => (
          <Event key={node.id} event={node} />
        ))}
      </ol>
      {pageInfo.hasNextPage && (
        <button type="button" onClick={() => fetchMore({ variables: { from: null, ...later } })}>
          Later events
        </button>
      )}
    </>
  );
}
