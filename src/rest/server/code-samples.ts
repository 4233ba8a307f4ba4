import type { ExampleRequest } from './recorded-examples.ts';
import type { Route } from './route.ts';

/** As in `x-codeSamples`. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** An example request for curl and for the client package; a test runs both (note 0077). */
export function codeSamples(route: Route, request: ExampleRequest, serverUrl: string): CodeSample[] {
  return [
    { lang: 'shell', label: 'curl', source: curlLine(route, request, serverUrl) },
    { lang: 'javascript', label: 'events-gateway-client', source: clientCall(route, request) },
  ];
}

const queryText = (value: unknown): string =>
  Array.isArray(value) ? value.join(' ') : typeof value === 'object' ? JSON.stringify(value) : String(value);

function curlLine(route: Route, { path, query = {}, headers = {}, body }: ExampleRequest, serverUrl: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const url = serverUrl + route.path.replace(/\{(\w+)\}/g, (_, name) => path?.[name] ?? '');
  const parameters = Object.entries(query).map(
    ([name, value]) => `--data-urlencode ${quoted(`${name}=${queryText(value)}`)}`,
  );
  const isSignedIn = route.access === 'user' || route.access === 'organization';
  const method = route.method === 'get' ? '' : ` -X ${route.method.toUpperCase()}`;
  return [
    `curl${parameters.length > 0 ? ' -G' : method} ${quoted(url)}`,
    ...(isSignedIn ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...cookieOptions(route),
    ...parameters,
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

/** Remembers the sign-in in a file, as browsers do. */
function cookieOptions({ operationId, cookie }: Route): string[] {
  if (operationId === 'login') return ['-c cookies.txt'];
  return cookie ? ['-b cookies.txt -c cookies.txt'] : [];
}

/** The client's session methods do more than the request. */
const ofSession: Readonly<Record<string, (body: unknown) => string>> = {
  login: (body) => `await client.signIn(${codeLiteral(body)});`,
  refresh: () => 'await client.resume();',
  logout: () => 'await client.signOut();',
};

function clientCall(route: Route, request: ExampleRequest): string {
  const { path, query = {}, headers = {}, body } = request;
  const special = ofSession[route.operationId];
  if (special) return special(body);
  if (route.lists && !path) {
    const options = Object.keys(query).length > 0 ? `, ${codeLiteral(query)}` : '';
    return `for await (const item of client.list('${route.path}'${options})) {\n  console.log(item);\n}`;
  }
  const { 'x-organization-id': _, ...others } = headers;
  const params = {
    ...(path && { path }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(Object.keys(others).length > 0 && { header: others }),
  };
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body !== undefined && { body }),
  };
  const given = Object.keys(options).length > 0 ? `, ${codeLiteral(options)}` : '';
  return `const answer = await client.${route.method}('${route.path}'${given});\nconsole.log(answer);`;
}

/** A JSON value as JavaScript, on one line if it is short. */
function codeLiteral(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (typeof value !== 'object' || value === null || line.length + indent.length <= 80) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((each) => `${inner}${codeLiteral(each, inner)},\n`).join('')}${indent}]`;
  }
  const entries = Object.entries(value).map(([name, each]) => `${inner}${keyOf(name)}: ${codeLiteral(each, inner)},\n`);
  return `{\n${entries.join('')}${indent}}`;
}

function onOneLine(value: unknown): string {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([name, each]) => `${keyOf(name)}: ${onOneLine(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

const keyOf = (name: string) => (/^[a-z_]\w*$/i.test(name) ? name : textOf(name));
const textOf = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
