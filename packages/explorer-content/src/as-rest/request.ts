export interface RestRequest {
  method: string;
  /** With `{name}` for a parameter that the operation does not give. */
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: unknown;
  /** Whether the response is a stream, which curl must not buffer. */
  streams?: true;
  notes: string[];
}

export interface NoTwin {
  reason: string;
}

/** In characters; longer queries go into the body of `POST …/query`. */
const longestQuery = 1_500;

export function readRequest(path: string, query: Record<string, string> = {}, notes: string[] = []): RestRequest {
  return { method: 'GET', path, query, headers: {}, notes };
}

export function listRequest(path: string, query: Record<string, string>, notes: string[]): RestRequest {
  if (new URLSearchParams(query).size === 0 || queryText(query).length <= longestQuery) {
    return readRequest(path, query, notes);
  }
  const { where, limit, sort, ...texts } = query;
  const numbers = Object.entries({ limit, sort }).filter(([, value]) => value !== undefined);
  const body = {
    ...(where === undefined ? {} : { where: JSON.parse(where) as unknown }),
    ...Object.fromEntries(numbers.map(([name, value]) => [name, Number(value)])),
    ...texts,
  };
  return { method: 'POST', path: `${path}/query`, query: {}, headers: {}, body, notes };
}

export function requestTarget({ path, query }: RestRequest): string {
  const text = queryText(query);
  return text === '' ? path : `${path}?${text}`;
}

function queryText(query: Record<string, string>): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

export interface CurlOptions {
  /** Without a slash at the end. */
  service: string;
  organization: string | null;
}

/** The token is a shell variable, so that the command can be shared. */
export function curlOf(request: RestRequest, { service, organization }: CurlOptions): string {
  const { method, path, query, headers, body } = request;
  const parts = [
    `curl ${request.streams ? '-N ' : ''}-s ${method === 'GET' && Object.keys(query).length > 0 ? '-G ' : ''}${quoteUrl(service + path)}`,
  ];
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) parts.push(`-X ${method}`);
  if (!path.startsWith('/public/')) parts.push('-H "authorization: Bearer $TOKEN"');
  if (organization) parts.push(`-H ${quote(`x-organization-id: ${organization}`)}`);
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  for (const [name, value] of Object.entries(query)) parts.push(`--data-urlencode ${quote(`${name}=${value}`)}`);
  if (body !== undefined) {
    parts.push("-H 'content-type: application/json'", `-d ${quote(JSON.stringify(body))}`);
  }
  return parts.join(' \\\n  ');
}

/** Missing parameters become shell variables, like the token. */
function quoteUrl(url: string): string {
  const open = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  return open === url ? quote(url) : `"${open}"`;
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
