import { ApolloProvider } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Filter, type Where } from '../../shared/Filter.tsx';
import { opening } from '../../shared/list.ts';
import { Page, type Start } from '../../shared/Page.tsx';
import { createApollo } from './apollo.ts';
import { Events } from './Events.tsx';
import { useChanges } from './useChanges.ts';

function Example({ start }: { start: Start }) {
  const [apollo] = useState(createApollo);
  const [where, setWhere] = useState<Where>({});
  const open = useRef(opening);
  useChanges(apollo, start, where, open);
  return (
    <ApolloProvider client={apollo}>
      <Filter onChange={setWhere} />
      <Events key={JSON.stringify(where)} {...{ where, open }} />
    </ApolloProvider>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <Page title="Events with Apollo Client">{(start) => <Example start={start} />}</Page>,
);
