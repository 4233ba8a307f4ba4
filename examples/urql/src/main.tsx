import type { CacheExchangeOpts } from '@urql/exchange-graphcache';
import type { Session } from 'events-gateway-client/react';
import { createUrqlClient } from 'events-gateway-client/urql';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider, useSubscription } from 'urql';
import { client } from '../../shared/client.ts';
import { Filter, type Where } from '../../shared/Filter.tsx';
import { Frame } from '../../shared/Frame.tsx';
import { Changes } from './documents.ts';
import { EventPage } from './EventPage.tsx';
import { Events } from './Events.tsx';

/** Put here by vite.config.ts. */
declare const __SCHEMA__: NonNullable<CacheExchangeOpts['schema']>;

/** The cache follows what others do, as long as the session lasts. */
function Live({ session: { restart } }: { session: Session }) {
  const [{ error }] = useSubscription({ query: Changes });
  useEffect(() => {
    if (error) restart(error);
  }, [error, restart]);
  return null;
}

/** One person in one organization: the next one has a cache of its own. */
function Example({ session, eventId }: { session: Session; eventId: string }) {
  const [urql] = useState(() => createUrqlClient(client, { schema: __SCHEMA__ }));
  const [where, setWhere] = useState<Where>({});
  return (
    <Provider value={urql}>
      <Live session={session} />
      {eventId ? (
        <EventPage id={eventId} isManager={session.organization?.role !== 'member'} />
      ) : (
        <>
          <Filter where={where} onChange={setWhere} />
          <Events key={JSON.stringify(where)} where={where} />
        </>
      )}
    </Provider>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <Frame title="Events with urql">{(session, eventId) => <Example session={session} eventId={eventId} />}</Frame>,
);
