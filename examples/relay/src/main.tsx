import type { Session } from 'events-gateway-client/react';
import { applyChange, createEnvironment } from 'events-gateway-client/relay';
import { Suspense, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { graphql, RelayEnvironmentProvider, useSubscribeToInvalidationState, useSubscription } from 'react-relay';
import { client } from '../../shared/client.ts';
import { Filter, type Where } from '../../shared/Filter.tsx';
import { Frame } from '../../shared/Frame.tsx';
import type { mainChangesSubscription } from './__generated__/mainChangesSubscription.graphql.ts';
import { EventPage } from './EventPage.tsx';
import { Events } from './Events.tsx';

/** With all that the lists show and filter by: so no list has to be read again. */
const changes = graphql`
  subscription mainChangesSubscription($after: String) {
    changes(after: $after) {
      cursor
      change {
        kind
        op
        objectGlobalId
        event {
          id
          description
          location
          url
          ...Event_event
        }
        subscription {
          id
          createdAt
          attendeeName
          status
          waitingPosition
          event {
            id
            ...Event_event
          }
        }
      }
    }
  }
`;

function Page({ session, eventId }: { session: Session; eventId: string }) {
  const [where, setWhere] = useState<Where>({});
  const [round, setRound] = useState(0);
  const { restart } = session;
  useSubscription<mainChangesSubscription>(
    useMemo(() => ({ subscription: changes, variables: {}, updater: applyChange, onError: restart }), [restart]),
  );
  useSubscribeToInvalidationState([], () => setRound(round + 1));
  return eventId ? (
    <Suspense fallback={<p aria-busy="true">Loading…</p>}>
      <EventPage id={eventId} isManager={session.organization?.role !== 'member'} round={round} />
    </Suspense>
  ) : (
    <>
      <Filter where={where} onChange={setWhere} />
      <Suspense fallback={<p aria-busy="true">Loading…</p>}>
        <Events key={JSON.stringify(where)} where={where} round={round} />
      </Suspense>
    </>
  );
}

/** One person in one organization: the next one has a store of its own. */
function Example(props: { session: Session; eventId: string }) {
  const [environment] = useState(() => createEnvironment(client));
  return (
    <RelayEnvironmentProvider environment={environment}>
      <Page {...props} />
    </RelayEnvironmentProvider>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <Frame title="Events with Relay">{(session, eventId) => <Example session={session} eventId={eventId} />}</Frame>,
);
