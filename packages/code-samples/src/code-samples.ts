import { codeLiteral } from './code-literal.ts';

export interface SampleRequest {
  method: string;
  /** With names of parameters in braces. */
  template: string;
  path?: Record<string, string> | undefined;
  /** An object stands for its JSON, a list for names separated by a space. */
  query?: Record<string, unknown> | undefined;
  headers?: Record<string, string> | undefined;
  body?: unknown;
}

interface CurlOptions {
  serverUrl: string;
  /** Whether it sends `$TOKEN` as a bearer token. */
  token: boolean;
  /** Whether it stores cookies in a file, as browsers do, or also sends them. */
  cookies: 'stored' | 'sent' | null;
}

const queryText = (value: unknown): string =>
  Array.isArray(value) ? value.join(' ') : typeof value === 'object' ? JSON.stringify(value) : String(value);

const cookieOptions = { stored: ['-c cookies.txt'], sent: ['-b cookies.txt -c cookies.txt'] };

export function curlLine(
  { method, template, path, query = {}, headers = {}, body }: SampleRequest,
  { serverUrl, token, cookies }: CurlOptions,
): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const url = serverUrl + template.replace(/\{(\w+)\}/g, (_, name) => path?.[name] ?? '');
  const parameters = Object.entries(query).map(
    ([name, value]) => `--data-urlencode ${quoted(`${name}=${queryText(value)}`)}`,
  );
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  return [
    `curl${parameters.length > 0 ? ' -G' : verb} ${quoted(url)}`,
    ...(token ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(cookies ? cookieOptions[cookies] : []),
    ...parameters,
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

interface CallOptions {
  /** Whether the call reads a whole list, page by page. */
  lists: boolean;
  /** The name of a header that the client sends itself. */
  implied: string;
}

/** A call of a client with a method for each method of HTTP, as of `openapi-fetch`, and `list`. */
export function clientCall(
  { method, template, path, query = {}, headers = {}, body }: SampleRequest,
  { lists, implied }: CallOptions,
): string {
  if (lists) {
    const options = Object.keys(query).length > 0 ? `, ${codeLiteral(query)}` : '';
    return `for await (const item of client.list('${template}'${options})) {\n  console.log(item);\n}`;
  }
  const { [implied]: _, ...others } = headers;
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
  return `const answer = await client.${method}('${template}'${given});\nconsole.log(answer);`;
}
