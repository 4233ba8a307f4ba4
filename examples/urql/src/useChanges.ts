import { useEffect, useEffectEvent, useState } from 'react';
import type { Client } from 'urql';
import { onEnd, pipe, subscribe } from 'wonka';
import type { Where } from '../../shared/Filter.tsx';
import { changesList, follow } from '../../shared/follow.ts';
import type { Start } from '../../shared/Page.tsx';
import { Changes } from './documents.ts';

/**
 * Lets the cache follow what others do.
 *
 * @returns the cursor of the last change after which the list has to be read again
 */
export function useChanges(urql: Client, { cursor, restart }: Start, where: Where): string {
  const [last, setLast] = useState(cursor);
  const lost = useEffectEvent(restart);
  const isAffected = useEffectEvent((change: { kind: string; op: string }) => changesList(change, where));
  useEffect(
    () =>
      follow<{ cursor: string }>({
        from: cursor,
        open: (after, { next, end }) => {
          const { unsubscribe } = pipe(
            urql.subscription(Changes, { after }),
            onEnd(end),
            subscribe(({ data }) => {
              if (!data) return;
              next(data.changes);
              if (data.changes.change && isAffected(data.changes.change)) setLast(data.changes.cursor);
            }),
          );
          return unsubscribe;
        },
        lost: () => lost(),
      }),
    [urql, cursor],
  );
  return last;
}
