import { Suspense, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { RelayEnvironmentProvider } from 'react-relay';
import { Filter, type Where } from '../../shared/Filter.tsx';
import { opening } from '../../shared/list.ts';
import { Page, type Start } from '../../shared/Page.tsx';
import { Events } from './Events.tsx';
import { createEnvironment } from './environment.ts';
import { useChanges } from './useChanges.ts';

function Example({ start }: { start: Start }) {
  const [environment] = useState(createEnvironment);
  const [where, setWhere] = useState<Where>({});
  const open = useRef(opening);
  useChanges(environment, start, where, open);
  return (
    <RelayEnvironmentProvider environment={environment}>
      <Filter onChange={setWhere} />
      <Suspense fallback={<p aria-busy="true">Loading…</p>}>
        <Events key={JSON.stringify(where)} {...{ where, open }} />
      </Suspense>
    </RelayEnvironmentProvider>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <Page title="Events with Relay">{(start) => <Example start={start} />}</Page>,
);
