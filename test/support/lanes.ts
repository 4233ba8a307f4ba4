import { isUtf8 } from 'node:buffer';
import { type DocumentNode, getOperationAST, parse } from 'graphql';
import { limits } from '../../src/schema/limits.ts';
import { bodyParams } from '../../src/schema/params.ts';
import { sha256 } from '../../src/schema/persisted.ts';

/** A request or an answer as it is on the wire; headers are names and values by turns, so that doubled ones stay so. */
interface Wire {
  headers: string[];
  body: Buffer;
}
export interface WireRequest extends Wire {
  method: string;
  path: string;
}
export interface WireAnswer extends Wire {
  status: number;
}

/** One of the ways in which the same operation can be asked for. */
export interface Lane {
  name: string;
  request: WireRequest;
  /** What was registered before, where the request has nothing but its hash. */
  hashOf?: Body;
}

export interface Body {
  query: string;
  operationName?: string | null;
  variables?: object | null;
  extensions?: object | null;
}

/** Of a body, as the service has it. */
const maxBytes = 100 * 1024;
/** A URL is a header to the service, and headers have a limit of their own. */
const maxUrl = 32 * 1024;

let sent = 0;

/**
 * All ways to ask for the operation of a request, each to be sent after the one before it. The text is made one that
 * nobody has sent yet, by a comment at its end, where it moves nothing: so the first one is validated, and those after
 * it are known. A trusted document cannot be changed: it is known from the start.
 *
 * @returns null for what is to be sent as it is, once: no query, or nothing that a document is read from
 */
export function lanesOf(request: WireRequest, trusted: ReadonlyMap<string, string>): Lane[] | null {
  const body = readBody(request);
  if (!body || isChange(body)) return null;
  const id = [...trusted].find(([, text]) => text === body.query)?.[0];
  sent += 1;
  const query = id === undefined ? `${body.query}\n# lane ${sent}` : body.query;
  const post = (fields: object) => posted(request, { ...body, ...fields });
  const byGet: Lane[] = canBeGet(request, body) ? [{ name: 'GET', request: gotten(request, { ...body, query }) }] : [];
  if (id !== undefined) {
    const texts = ['trusted', 'trusted, again'].map((name) => ({ name, request: post({ query }) }));
    return [...texts, { name: 'by id', request: post({ query: undefined, documentId: id }) }, ...byGet];
  }
  const extensions = { ...body.extensions, persistedQuery: { version: 1, sha256Hash: sha256(query) } };
  const registration = post({ query, extensions });
  if (registration.body.length > maxBytes) return null;
  return [
    ...['Yoga', 'past Yoga', 'third run', 'fourth run'].map((name) => ({ name, request: post({ query }) })),
    { name: 'registration by hash', request: registration },
    { name: 'hash alone', request: post({ query: undefined, extensions }), hashOf: { ...body, query } },
    ...byGet,
  ];
}

function readBody({ method, path, headers, body }: WireRequest): Body | null {
  if (method !== 'POST' || !/^\/graphql\/?$/.test(path) || body.length > maxBytes || !isUtf8(body)) return null;
  const { 'content-type': type = '', 'content-encoding': encoding } = named(headers);
  if (encoding !== undefined || !/^application\/json *(; *charset="?utf-8"? *)?$/i.test(type)) return null;
  try {
    const read = JSON.parse(body.toString());
    const { query, documentId } = bodyParams(read);
    // what is named already is sent as it is: by another text it would be another document
    return query !== null && documentId === null ? read : null;
  } catch {
    return null;
  }
}

/** Whether an operation does more than read; what is no document does nothing. */
function isChange({ query, operationName }: Body): boolean {
  let document: DocumentNode;
  try {
    document = parse(query, { maxLexicalTokens: limits.tokens });
  } catch {
    return false;
  }
  const operation = getOperationAST(document, operationName ?? undefined);
  return operation ? operation.operation !== 'query' : false;
}

/** A browser's page is another answer, and some texts do not fit into a URL. */
function canBeGet({ headers }: WireRequest, body: Body): boolean {
  if (/text\/html/.test(named(headers).accept ?? '') || body.operationName === '') return false;
  return body.query.isWellFormed() && searchOf(body).length < maxUrl;
}

function gotten({ path, headers }: WireRequest, body: Body): WireRequest {
  const kept = pairs(headers).filter(([name]) => !/^(content-.*|transfer-encoding)$/i.test(name));
  // it says that it is none by a foreign page, which a POST does by its media type
  const headersOfGet = [...kept.flat(), 'x-graphql-yoga-csrf', '1'];
  return { method: 'GET', path: `${path}?${searchOf(body)}`, headers: headersOfGet, body: Buffer.alloc(0) };
}

function searchOf(body: Body): string {
  const fields = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return new URLSearchParams(fields.map(([name, value]) => [name, text(value)])).toString();
}

function posted({ method, path, headers }: WireRequest, fields: object): WireRequest {
  const body = Buffer.from(JSON.stringify(fields));
  const kept = pairs(headers).filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name));
  return { method, path, headers: [...kept.flat(), 'content-length', String(body.length)], body };
}

/** The names and values of headers. */
export function pairs(headers: string[]): [string, string][] {
  return Array.from({ length: headers.length / 2 }, (_, index) => [
    headers[index * 2] as string,
    headers[index * 2 + 1] as string,
  ]);
}

/** Headers by their names, in lower case; the last one of those that are doubled. */
export function named(headers: string[]): Record<string, string | undefined> {
  return Object.fromEntries(pairs(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
