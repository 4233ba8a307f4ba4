import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { Filter, type Where } from '../../shared/Filter.tsx';
import { Page, type Start } from '../../shared/Page.tsx';
import { Events } from './Events.tsx';
import { createUrql } from './urql.ts';
import { useChanges } from './useChanges.ts';

function Example({ start }: { start: Start }) {
  const [urql] = useState(createUrql);
  const [where, setWhere] = useState<Where>({});
  const changed = useChanges(urql, start, where);
  return (
    <Provider value={urql}>
      <Filter onChange={setWhere} />
      <Events key={JSON.stringify(where)} {...{ where, changed }} />
    </Provider>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <Page title="Events with urql">{(start) => <Example start={start} />}</Page>,
);
