import { explorerPlugin } from '@graphiql/plugin-explorer';
import { pick, ToolbarButton, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { createElement as h, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createFetcher } from './fetcher.ts';
import { LastAnswer } from './last-answer.ts';
import { addressOf, sharedOperation } from './shared-operation.ts';
import { SignInBar } from './sign-in-bar.js';

const headers = `{
  // Signing in above sets both headers; headers given here override them.
  // "Authorization": "Bearer <access_token of POST /auth/login>",
  // "x-organization-id": "<id of the organization, see the tab 'WhoAmI'>"
}
`;

/** GraphiQL with a bar to sign in. */
export function App({ content, settings, session }) {
  const { name, demo, base, links, data, maxCost } = settings;
  const shared = useMemo(() => sharedOperation(location.search), []);
  const lastAnswer = useMemo(() => new LastAnswer(), []);
  const fetcher = useMemo(
    () => createFetcher(session, lastAnswer, content.placeholders),
    [session, lastAnswer, content],
  );
  const tabs = useMemo(
    () =>
      [...(shared ? [shared] : []), ...content.examples].map(({ query, variables }) => ({ query, variables, headers })),
    [content, shared],
  );
  const plugins = useMemo(
    () => [
      HISTORY_PLUGIN,
      explorerPlugin({ showAttribution: false }),
      ...content.plugins({ session, lastAnswer, base, data }),
    ],
    [content, session, lastAnswer, base, data],
  );
  return [
    h(SignInBar, { key: 'sign-in-bar', name, session, demo, base, links }),
    h(
      GraphiQL,
      {
        key: 'graphiql',
        fetcher,
        plugins,
        defaultTabs: tabs,
        ...(shared && { initialQuery: shared.query, initialVariables: shared.variables }),
        defaultHeaders: headers,
        shouldPersistHeaders: false,
        defaultEditorToolsVisibility: 'variables',
      },
      h(GraphiQL.Logo, null, ' '),
      h(GraphiQL.Toolbar, null, ({ prettify, merge, copy }) => [prettify, merge, copy, h(Share, { key: 'share' })]),
      h(GraphiQL.Footer, null, h(Facts, { lastAnswer, session, maxCost })),
    ),
  ];
}

const editors = pick('queryEditor', 'variableEditor');

/** Copies the address of the page with the operation of this tab, and its variables. */
function Share() {
  const { queryEditor, variableEditor } = useGraphiQL(editors);
  const [isCopied, setCopied] = useState(false);
  const onClick = async () => {
    const operation = { query: queryEditor?.getValue() ?? '', variables: variableEditor?.getValue() ?? '' };
    await navigator.clipboard.writeText(addressOf(location.href, operation));
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  const label = isCopied ? 'Copied' : 'Copy a link to this operation';
  return h(ToolbarButton, { label, onClick }, icon(isCopied ? check : link));
}

const link = 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2';
const check = 'M5 13l4 4L19 7';

/** Drawn, since fonts may lack a sign for it. */
function icon(d) {
  const drawing = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, viewBox: '0 0 24 24' };
  return h('svg', { className: 'graphiql-toolbar-icon', 'aria-hidden': true, ...drawing }, h('path', { d }));
}

const tabsState = pick('tabs', 'activeTabIndex', 'responseEditor');

/** The cost of the last answer of this tab, and the values that the page filled in. */
function Facts({ lastAnswer, session, maxCost }) {
  const { tabs, activeTabIndex } = useGraphiQL(tabsState);
  const tab = tabs[activeTabIndex]?.id;
  useLayoutEffect(() => lastAnswer.show(tab), [lastAnswer, tab]);
  useForgetting(session, lastAnswer);
  const facts = useSyncExternalStore(lastAnswer.subscribe, () => lastAnswer.facts);
  if (!facts) return h('p', { className: 'facts' }, 'The cost of an answer appears here.');
  const { status, cost, milliseconds, filled } = facts;
  const readable = (number) => number.toLocaleString('en');
  const parts = [
    cost === undefined
      ? 'no cost: the operation was refused'
      : `Cost ${readable(cost)} of at most ${readable(maxCost)}`,
    `status ${status}`,
    ...(milliseconds === undefined ? [] : [`${milliseconds} ms`]),
    ...Object.entries(filled).map(([name, value]) => `$${name} = ${value}`),
  ];
  return h('p', { className: 'facts', role: 'status', 'aria-label': 'The last answer' }, parts.join(' · '));
}

/** Clears all answers when somebody else signs in, or another organization is chosen: they belong to what was before. */
function useForgetting(session, lastAnswer) {
  const { tabs, activeTabIndex, responseEditor } = useGraphiQL(tabsState);
  const { stop, moveTab, updateActiveTabValues } = useGraphiQLActions();
  const { profile, organization } = useSyncExternalStore(session.subscribe, () => session.state);
  const identity = `${profile?.id} ${organization}`;
  const known = useRef(identity);
  useEffect(() => {
    if (known.current === identity) return;
    known.current = identity;
    lastAnswer.clearAll();
    if (!tabs.some(({ response }) => response)) return;
    stop();
    // no other action changes a tab that is not active
    moveTab(tabs.map((tab, index) => (index === activeTabIndex ? tab : { ...tab, response: null })));
    updateActiveTabValues({ response: '' });
    responseEditor?.setValue('');
  });
}
