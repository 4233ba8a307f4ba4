import { type RefObject, useEffect, useEffectEvent } from 'react';
import { fetchQuery, graphql, requestSubscription } from 'react-relay';
import type { Environment } from 'relay-runtime';
import type { Where } from '../../shared/Filter.tsx';
import { changesList, follow } from '../../shared/follow.ts';
import { type OpenPart, oneAtATime } from '../../shared/list.ts';
import type { Start } from '../../shared/Page.tsx';
import EventsPageQuery, { type EventsPageQuery as PageQuery } from './__generated__/EventsPageQuery.graphql.ts';
import type { useChangesSubscription } from './__generated__/useChangesSubscription.graphql.ts';

/** Each payload brings the object as it is now, so the store needs no code to change what is shown. */
const changes = graphql`
  subscription useChangesSubscription($after: String!) {
    changes(after: $after, kinds: [EVENT, SUBSCRIPTION]) {
      cursor
      change {
        kind
        op
        object {
          ...Event_event @alias
          ... on EventSubscription {
            event {
              ...Event_event
            }
          }
        }
      }
    }
  }
`;

/** Lets the store follow what others do, and the list that is shown. */
export function useChanges(
  environment: Environment,
  { cursor, restart }: Start,
  where: Where,
  open: RefObject<OpenPart>,
): void {
  const lost = useEffectEvent(restart);
  const isAffected = useEffectEvent((change: { kind: string; op: string }) => changesList(change, where));
  const readAgain = useEffectEvent(() =>
    fetchQuery<PageQuery>(environment, EventsPageQuery, { where, ...open.current }).toPromise(),
  );
  useEffect(() => {
    const list = oneAtATime(() => readAgain());
    return follow<{ cursor: string }>({
      from: cursor,
      open: (after, { next, end }) => {
        const { dispose } = requestSubscription<useChangesSubscription>(environment, {
          subscription: changes,
          variables: { after },
          onNext: (data) => {
            if (!data) return;
            next(data.changes);
            if (data.changes.change && isAffected(data.changes.change)) void list();
          },
          onError: end,
          onCompleted: end,
        });
        return dispose;
      },
      lost: () => lost(),
    });
  }, [environment, cursor]);
}
