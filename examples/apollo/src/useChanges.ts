import type { ApolloClient } from '@apollo/client';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { Where } from '../../shared/Filter.tsx';
import { changesList, follow } from '../../shared/follow.ts';
import { type OpenPart, oneAtATime } from '../../shared/list.ts';
import type { Start } from '../../shared/Page.tsx';
import { Changes, EventsPage } from './documents.ts';

/** Lets the cache follow what others do, and the list that is shown. */
export function useChanges(
  apollo: ApolloClient,
  { cursor, restart }: Start,
  where: Where,
  open: RefObject<OpenPart>,
): void {
  const lost = useEffectEvent(restart);
  const isAffected = useEffectEvent((change: { kind: string; op: string }) => changesList(change, where));
  const readAgain = useEffectEvent(() =>
    apollo.query({ query: EventsPage, variables: { where, ...open.current }, fetchPolicy: 'network-only' }),
  );
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
