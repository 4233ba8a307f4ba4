import { ApolloClient, InMemoryCache } from '@apollo/client';
import { ApolloProvider, useSubscription } from '@apollo/client/react';
import { applyChange, createLink, possibleTypes, typePolicies } from 'events-gateway-client/apollo';
import type { Session } from 'events-gateway-client/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from '../../shared/client.ts';
import { Filter, type Where } from '../../shared/Filter.tsx';
import { Frame } from '../../shared/Frame.tsx';
import { Changes } from './documents.ts';
import { EventPage } from './EventPage.tsx';
import { Events } from './Events.tsx';

/** The cache follows what others do, as long as the session lasts. */
function Live({ session }: { session: Session }) {
  useSubscription(Changes, {
    ignoreResults: true,
    onData: ({ client: { cache }, data: { data } }) => data?.changes.change && applyChange(cache, data.changes.change),
    onError: session.restart,
  });
  return null;
}

/** One person in one organization: the next one has a cache of its own. */
function Example({ session, eventId }: { session: Session; eventId: string }) {
  const [apollo] = useState(
    () => new ApolloClient({ link: createLink(client), cache: new InMemoryCache({ possibleTypes, typePolicies }) }),
  );
  const [where, setWhere] = useState<Where>({});
  return (
    <ApolloProvider client={apollo}>
      <Live session={session} />
      {eventId ? (
        <EventPage id={eventId} isManager={session.organization?.role !== 'member'} />
      ) : (
        <>
          <Filter where={where} onChange={setWhere} />
          <Events key={JSON.stringify(where)} where={where} />
        </>
      )}
    </ApolloProvider>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <Frame title="Events with Apollo Client">
    {(session, eventId) => <Example session={session} eventId={eventId} />}
  </Frame>,
);
