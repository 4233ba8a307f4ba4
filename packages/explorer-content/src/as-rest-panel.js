import { pick, tryParseJSONC, useGraphiQL, useVariablesEditorState } from '@graphiql/react';
import { createElement as h, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { eventIn, eventQuery, subscriptionWithoutEvent, withEvent } from './as-rest/event-of.ts';
import { curlOf, requestTarget } from './as-rest/request.ts';
import { restRequests } from './as-rest/translate.ts';

export function asRestPlugin(props) {
  return {
    title: 'As REST',
    icon: () => h('span', { className: 'rest-icon', 'aria-hidden': true }, 'REST'),
    content: () => h(AsRest, props),
  };
}

const editorState = pick('schema', 'documentAST', 'operationName');

function AsRest({ session, lastAnswer, twins, base }) {
  const { schema, documentAST, operationName } = useGraphiQL(editorState);
  const [text] = useVariablesEditorState();
  const facts = useSyncExternalStore(lastAnswer.subscribe, () => lastAnswer.facts);
  const { profile, organization } = useSyncExternalStore(session.subscribe, () => session.state);
  const translated = useMemo(() => {
    if (!schema || !documentAST) return [];
    const variables = withFound(variablesOf(text), facts?.filled ?? {});
    const viewerId = profile?.id ?? null;
    return restRequests({ schema, document: documentAST, operationName, variables, twins, viewerId, now: new Date() });
  }, [schema, documentAST, operationName, text, facts, profile, twins]);
  const event = useEventOf(session, subscriptionWithoutEvent(translated));
  const requests = event ? withEvent(translated, event) : translated;
  const service = new URL(base, location.href).href.replace(/\/$/, '');
  return h(
    'section',
    { className: 'as-rest', 'aria-label': 'As REST' },
    h('h2', null, 'As REST'),
    requests.length === 0 && h('p', null, 'Write an operation to see the equivalent REST requests here.'),
    requests.length > 1 && h('p', null, `${requests.length} requests together do the same:`),
    requests.map((request, index) => h(Request, { key: index, request, service, organization })),
  );
}

function useEventOf(session, subscription) {
  const [found, setFound] = useState({ subscription: null, event: null });
  useEffect(() => {
    if (!subscription || !session.state.profile) return;
    const body = JSON.stringify(eventQuery(subscription));
    const headers = { 'content-type': 'application/json' };
    session
      .fetch(location.pathname, { method: 'POST', headers, body })
      .then((response) => response.json())
      .then((answer) => setFound({ subscription, event: eventIn(answer) }))
      // the path keeps its parameter
      .catch(() => undefined);
  }, [session, subscription]);
  return found.subscription === subscription ? found.event : null;
}

function Request({ request, service, organization }) {
  if ('reason' in request) return h('p', { className: 'no-twin' }, request.reason);
  const curl = curlOf(request, { service, organization });
  return h(
    'article',
    null,
    h('p', { className: 'target' }, h('b', null, request.method), ' ', readable(requestTarget(request))),
    request.notes.map((note) => h('p', { key: note, className: 'note' }, note)),
    h('pre', null, curl),
    h(Copy, { text: curl }),
  );
}

function Copy({ text }) {
  const [copied, setCopied] = useState('');
  const onClick = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return h('button', { type: 'button', onClick }, copied === text ? 'Copied' : 'Copy as curl');
}

function readable(target) {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function variablesOf(text) {
  try {
    return tryParseJSONC(text) ?? {};
  } catch {
    return {};
  }
}

/** The variables, with the values found for placeholders when the operation ran. */
function withFound(variables, filled) {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      typeof value === 'string' && /^<.*>$/.test(value) ? (filled[name] ?? value) : value,
    ]),
  );
}
