import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { createElement as h, useMemo, useSyncExternalStore } from 'react';
import { asRestPlugin } from './as-rest-panel.js';
import { Door } from './door.js';
import { examples } from './examples.ts';
import { createFetcher } from './fetcher.ts';
import { LastAnswer } from './last-answer.ts';

const headers = `{
  // Signing in above sets both of these; what stands here comes first.
  // "Authorization": "Bearer <access_token of POST /auth/login>",
  // "x-organization-id": "<id of the organization, see the tab 'WhoAmI'>"
}
`;

const tabs = examples.map(({ query, variables }) => ({ query, variables, headers }));

/** GraphiQL with a door. */
export function App({ settings, session }) {
  const lastAnswer = useMemo(() => new LastAnswer(), []);
  const fetcher = useMemo(() => createFetcher(session, lastAnswer), [session, lastAnswer]);
  const plugins = useMemo(
    () => [HISTORY_PLUGIN, explorerPlugin({ showAttribution: false }), asRestPlugin({ session, lastAnswer, settings })],
    [session, lastAnswer, settings],
  );
  return [
    h(Door, { key: 'door', session, demo: settings.demo }),
    h(
      GraphiQL,
      {
        key: 'graphiql',
        fetcher,
        plugins,
        defaultTabs: tabs,
        defaultHeaders: headers,
        shouldPersistHeaders: false,
        defaultEditorToolsVisibility: 'variables',
      },
      h(GraphiQL.Logo, null, ' '),
      h(GraphiQL.Footer, null, h(Facts, { lastAnswer, maxCost: settings.maxCost })),
    ),
  ];
}

/** What the last answer cost, and what the page put into it. */
function Facts({ lastAnswer, maxCost }) {
  const facts = useSyncExternalStore(lastAnswer.subscribe, () => lastAnswer.facts);
  if (!facts) return h('p', { className: 'facts' }, 'The cost of an answer appears here.');
  const { status, cost, milliseconds, filled } = facts;
  const parts = [
    cost === undefined ? 'no cost: it was refused' : `Cost ${cost} of at most ${maxCost.toLocaleString('en')}`,
    `status ${status}`,
    `${milliseconds} ms`,
    ...Object.entries(filled).map(([name, value]) => `$${name} = ${value}`),
  ];
  return h('p', { className: 'facts', role: 'status', 'aria-label': 'The last answer' }, parts.join(' · '));
}
