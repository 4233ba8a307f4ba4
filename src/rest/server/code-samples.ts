import { clientCall, codeLiteral, curlLine } from '#code-samples';
import type { ExampleRequest } from './recorded-examples.ts';
import type { Route } from './route.ts';

/** As in `x-codeSamples`. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The client's session methods do more than the request. */
const ofSession: Readonly<Record<string, (body: unknown) => string>> = {
  login: (body) => `await client.signIn(${codeLiteral(body)});`,
  refresh: () => 'await client.resume();',
  logout: () => 'await client.signOut();',
};

/** An example request for curl and for the client package; a test runs both (note 0077). */
export function codeSamples(route: Route, example: ExampleRequest, serverUrl: string): CodeSample[] {
  const { method, path: template, access, operationId } = route;
  const request = { ...example, method, template };
  const cookies = operationId === 'login' ? 'stored' : route.cookie ? 'sent' : null;
  const token = access === 'user' || access === 'organization';
  const call = { lists: route.lists !== undefined && !example.path, implied: 'x-organization-id' };
  const ofClient = ofSession[operationId]?.(example.body) ?? clientCall(request, call);
  return [
    { lang: 'shell', label: 'curl', source: curlLine(request, { serverUrl, token, cookies }) },
    { lang: 'javascript', label: 'events-gateway-client', source: ofClient },
  ];
}
