import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { createElement as h, useMemo, useSyncExternalStore } from 'react';
import { asRestPlugin } from './as-rest-panel.js';
import { examples } from './examples/examples.ts';
import { createFetcher } from './fetcher.ts';
import { LastAnswer } from './last-answer.ts';
import { SignInBar } from './sign-in-bar.js';

const headers = `{
  // Signing in above sets both headers; headers given here override them.
  // "Authorization": "Bearer <access_token of POST /auth/login>",
  // "x-organization-id": "<id of the organization, see the tab 'WhoAmI'>"
}
`;

const tabs = examples.map(({ query, variables }) => ({ query, variables, headers }));

/** GraphiQL with a bar to sign in. */
export function App({ settings, session }) {
  const lastAnswer = useMemo(() => new LastAnswer(), []);
  const fetcher = useMemo(() => createFetcher(session, lastAnswer), [session, lastAnswer]);
  const plugins = useMemo(
    () => [HISTORY_PLUGIN, explorerPlugin({ showAttribution: false }), asRestPlugin({ session, lastAnswer, settings })],
    [session, lastAnswer, settings],
  );
  return [
    h(SignInBar, { key: 'sign-in-bar', session, demo: settings.demo }),
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

/** The cost of the last answer, and the values that the page filled in. */
function Facts({ lastAnswer, maxCost }) {
  const facts = useSyncExternalStore(lastAnswer.subscribe, () => lastAnswer.facts);
  if (!facts) return h('p', { className: 'facts' }, 'The cost of an answer appears here.');
  const { status, cost, milliseconds, filled } = facts;
  const parts = [
    cost === undefined
      ? 'no cost: the operation was refused'
      : `Cost ${cost} of at most ${maxCost.toLocaleString('en')}`,
    `status ${status}`,
    `${milliseconds} ms`,
    ...Object.entries(filled).map(([name, value]) => `$${name} = ${value}`),
  ];
  return h('p', { className: 'facts', role: 'status', 'aria-label': 'The last answer' }, parts.join(' · '));
}
