import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { acceptsEvents } from '#bounded-http';
import type { KnownOperation } from '#compiled-graphql';
import { didYouMean, isRecord } from '#input-values';
import { receivedBody } from '../../../http/exchange.ts';
import { bodyLimits, parseJsonBody } from '../../../http/incoming.ts';
import { areEnough, DomainError, escapePointer, fault, faults, type Issue } from '../../../kernel/errors.ts';
import type { FieldExtensions } from '../../builder/field-extensions.ts';
import { codedError } from '../../execution/coded-error.ts';
import type { GraphqlParams, Served, ServedPlugin } from './served.ts';

/** Replaces Yoga's parsers, so that a malformed request is refused as in REST. */
export function useParameters(checkRequest: (request: Request) => void): ServedPlugin {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      readParams(serverContext, checkRequest);
      const { query, operationName, variables } = serverContext.asked;
      setRequestParser(() => ({ query: query ?? '', operationName, variables }));
    },
    onParams({ context: { incoming, operation, large } }) {
      if (incoming.method === 'GET' && operation?.node.operation === 'mutation') throw methodRefused(incoming, 'POST');
      if (large && !(operation && takesLargeInput(operation))) throw new DomainError('PAYLOAD_TOO_LARGE');
    },
    onContextBuilding({ context: { incoming, operation } }) {
      if (operation?.node.operation !== 'subscription' || acceptsEvents(incoming)) return;
      throw codedError('INVALID_QUERY', 'A subscription needs `Accept: text/event-stream`.');
    },
  };
}

/** @throws DomainError */
function readParams(served: Served, checkRequest: (request: Request) => void): void {
  const { incoming } = served;
  if (incoming.method !== 'GET' && incoming.method !== 'POST') throw methodRefused(incoming, 'GET, POST');
  checkRequest(incoming);
  const body = receivedBody(incoming);
  if (incoming.method === 'GET') {
    if (wantsPage(incoming) && incoming.query.query === undefined)
      throw new DomainError('NOT_FOUND', { detail: 'GraphiQL is not served here.' });
    requirePreflight(incoming.headers);
    served.asked = urlParams(incoming.originalUrl);
    return;
  }
  served.asked = bodyParams(parseJsonBody(incoming, body));
  served.large = body.length > bodyLimits.usual;
  // only variables may be large, not the document
  if (served.large && (served.asked.query?.length ?? 0) > bodyLimits.usual) throw new DomainError('PAYLOAD_TOO_LARGE');
  if (incoming.headers['idempotency-key'] !== undefined) served.body = body;
}

function methodRefused({ res }: Request, allow: string): DomainError {
  res?.setHeader('allow', allow);
  return new DomainError('METHOD_NOT_ALLOWED');
}

/** A page of another site can send these only after a CORS preflight. */
const preflighted = ['authorization', 'x-organization-id', 'x-graphql-yoga-csrf', 'apollo-require-preflight'];

/** Refuses a GET that a link or an image could cause (reference/graphql.md#get). @throws DomainError CROSS_SITE */
function requirePreflight(headers: IncomingHttpHeaders): void {
  if (preflighted.some((name) => headers[name] !== undefined)) return;
  const detail = `A query by GET needs one of the headers ${preflighted.join(', ')}.`;
  throw new DomainError('CROSS_SITE', { detail });
}

/** Scripts accept JSON. */
export function wantsPage(request: Request): boolean {
  return request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '');
}

function takesLargeInput(operation: KnownOperation): boolean {
  return operation.rootFields<FieldExtensions>(() => ({})).some(({ extensions }) => extensions.command?.large);
}

const names = ['query', 'documentId', 'operationName', 'variables', 'extensions'];

/**
 * Of `extensions`, only `persistedQuery` is used.
 *
 * @throws DomainError INVALID_QUERY for a batch; VALIDATION_ERROR with the pointer of each invalid parameter
 */
export function bodyParams(body: unknown): GraphqlParams {
  if (Array.isArray(body))
    throw fault('INVALID_QUERY', '', 'Send one operation per request; batches are not supported.');
  if (!isRecord(body)) throw fault('VALIDATION_ERROR', '', 'The body must be an object with `query`.');
  const { query = null, documentId = null, operationName = null, variables = null, extensions = null } = body;
  const issues: Issue[] = [];
  const refuse = (name: string, detail: string) =>
    issues.push({ pointer: `/${escapePointer(name)}`, code: 'VALIDATION_ERROR', detail });
  const persisted = isRecord(extensions) ? (extensions.persistedQuery ?? null) : null;
  const named = documentId !== null || persisted !== null;
  if (typeof query !== 'string' && !(named && query === null)) {
    refuse('query', 'A string with a GraphQL document is expected.');
  }
  if (documentId !== null && typeof documentId !== 'string') refuse('documentId', 'A string is expected.');
  if (documentId !== null && (query !== null || persisted !== null)) {
    refuse('documentId', '`documentId` cannot be combined with `query` or `persistedQuery`.');
  }
  if (operationName !== null && typeof operationName !== 'string') refuse('operationName', 'A string is expected.');
  if (variables !== null && !isRecord(variables)) refuse('variables', 'An object is expected.');
  if (extensions !== null && !isRecord(extensions)) refuse('extensions', 'An object is expected.');
  issues.push(...persistedQueryIssues(persisted, query));
  for (const name of Object.keys(body).filter((each) => !names.includes(each))) {
    if (areEnough(issues)) break;
    refuse(name, `Unknown field${didYouMean(name, names)}`);
  }
  if (issues.length > 0) throw faults('VALIDATION_ERROR', issues);
  const hash = (persisted as { sha256Hash: string } | null)?.sha256Hash.toLowerCase();
  return {
    query,
    documentId: documentId ?? hash ?? null,
    operationName: operationName ?? undefined,
    variables: variables ?? undefined,
  } as GraphqlParams;
}

/** Apollo's `{"version": 1, "sha256Hash": "…"}`; if the text is sent as well, the hash must match. */
function persistedQueryIssues(persisted: unknown, query: unknown): Issue[] {
  if (persisted === null) return [];
  const issue = (pointer: string, detail: string): Issue[] => [
    { pointer: `/extensions/persistedQuery${pointer}`, code: 'VALIDATION_ERROR', detail },
  ];
  if (!isRecord(persisted) || persisted.version !== 1) return issue('', 'An object with `version` 1 is expected.');
  const { sha256Hash } = persisted;
  const wellFormed = typeof sha256Hash === 'string' && /^[0-9a-f]{64}$/i.test(sha256Hash);
  if (!wellFormed) return issue('/sha256Hash', '64 hexadecimal digits are expected.');
  const matches = typeof query !== 'string' || hash('sha256', query, 'hex') === sha256Hash.toLowerCase();
  return matches ? [] : issue('/sha256Hash', 'This is not the SHA-256 of `query`.');
}

/** As in a POST, with objects as JSON. @throws DomainError INVALID_JSON, VALIDATION_ERROR */
export function urlParams(url: string): GraphqlParams {
  const search = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
  const repeated = names.filter((name) => search.getAll(name).length > 1);
  if (repeated.length > 0) {
    const detail = 'This parameter can be given only once.';
    throw faults(
      'VALIDATION_ERROR',
      repeated.map((name) => ({ pointer: `/${name}`, code: 'VALIDATION_ERROR', detail })),
    );
  }
  const body: Record<string, unknown> = {};
  for (const name of names) {
    const text = search.get(name);
    if (text) body[name] = name === 'variables' || name === 'extensions' ? parseJson(text, name) : text;
  }
  return bodyParams(body);
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('INVALID_JSON', { detail: `The parameter \`${name}\` is not valid JSON.` });
  }
}
