import type { ApolloClient } from '@apollo/client';
import { useEffect, useEffectEvent } from 'react';
import type { Where } from '../../shared/Filter.tsx';
import { changesList, follow } from '../../shared/follow.ts';
import { now, oneAtATime, openPart, size } from '../../shared/list.ts';
import type { Start } from '../../shared/Page.tsx';
import { Changes, EventsPage } from './documents.ts';

/** Lets the cache follow what others do, and the list that is shown. */
export function useChanges(apollo: ApolloClient, { cursor, restart }: Start, where: Where): void {
  const lost = useEffectEvent(restart);
  const isAffected = useEffectEvent((change: { kind: string; op: string }) => changesList(change, where));
  const readAgain = useEffectEvent(() => {
    const open = apollo.readQuery({ query: EventsPage, variables: { where, from: now, first: size } });
    const variables = { where, ...openPart(open?.events.edges.map(({ node }) => node.dateStart) ?? []) };
    return apollo.query({ query: EventsPage, variables, fetchPolicy: 'network-only' });
  });
  useEffect(() => {
    const list = oneAtATime(() => readAgain());
    return follow<{ cursor: string }>({
      from: cursor,
      open: (after, { next, end }) => {
        const stream = apollo.subscribe({ query: Changes, variables: { after } }).subscribe({
          next: ({ data }) => {
            if (!data) return;
            next(data.changes);
            if (data.changes.change && isAffected(data.changes.change)) void list();
          },
          error: end,
          complete: end,
        });
        return () => stream.unsubscribe();
      },
      lost: () => lost(),
    });
  }, [apollo, cursor]);
}
