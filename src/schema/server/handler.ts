import type { Request, RequestHandler, Response } from 'express';
import type { ExecutionResult } from 'graphql';
import { type FetchAPI, processRegularResult } from 'graphql-yoga';
import type { Context } from '../../engine/context.ts';
import { bodyLimits, parseJsonBody } from '../../http/body.ts';
import { EventStream, eventText } from '../../http/event-stream.ts';
import { endText, exchangeOf, receivedBody } from '../../http/exchange.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/request.ts';
import type { Usage } from '../../kernel/usage.ts';
import { type DocumentOptions, Documents } from '../documents/documents.ts';
import { schema } from '../schema.ts';
import { requirePreflight } from './cross-site.ts';
import { type ErrorScope, MethodRefused, refusal } from './errors.ts';
import { type OperationRequest, OperationRunner } from './operation.ts';
import { bodyParams, type GraphqlParams, urlParams } from './params.ts';

export interface GraphqlOptions {
  /** Creates the context of a request; provided by the composition root. */
  createContext(request: Request): Context;
  /** The checks that both faces make on a request. @throws DomainError */
  checkRequest(request: Request): void;
  settings: { bounds: { documentCacheBytes: number; database: { readTimeout: number } } };
  documents?: DocumentOptions;
  /** Where clients reach the service. */
  publicUrl: string;
  /** Serves GraphiQL to browsers; null if it is disabled. */
  explorer: RequestHandler | null;
  log: Log;
  /** Converts expected database failures; returns any other error unchanged. */
  toDomainError(error: unknown): unknown;
}

/** A request, and what its response needs. */
interface Incoming {
  request: Request;
  response: Response;
  ctx: Context;
  scope: ErrorScope;
}

/** Serves GraphQL, and GraphiQL to browsers, at `/graphql`. */
export function createGraphqlHandler(options: GraphqlOptions): RequestHandler {
  const { documentCacheBytes: cacheBytes, database } = options.settings.bounds;
  const documents = new Documents(schema, { ...options.documents, cacheBytes });
  const runner = new OperationRunner(schema, documents, database.readTimeout);
  return (request, response, next) => {
    if (request.path !== '/graphql' && request.path !== '/graphql/') {
      next();
      return;
    }
    response.setHeader('cache-control', 'private, no-cache');
    response.vary('accept, authorization, x-organization-id');
    if (options.explorer && wantsPage(request) && exchangeOf(request).body) {
      options.explorer(request, response, next);
      return;
    }
    const ctx = options.createContext(request);
    ctx.usage.face = 'graphql';
    ctx.usage.operation = 'refused';
    const scope: ErrorScope = {
      requestId: ctx.client.requestId,
      publicUrl: options.publicUrl,
      log: options.log,
      toDomainError: options.toDomainError,
    };
    answer({ request, response, ctx, scope })
      .then((result) => {
        if (Symbol.asyncIterator in result) return sendPayloads(response, result);
        for (const { extensions } of result.errors ?? []) ctx.usage.addCode(String(extensions.code));
        return sendResult(response, result, runner.engine.fetchAPI);
      })
      .catch(next);
  };

  async function answer(incoming: Incoming): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
    const { request, ctx, scope } = incoming;
    let asked: Asked;
    try {
      asked = readParams(request, options.checkRequest);
    } catch (error) {
      return { errors: [refusal(scope, error)] };
    }
    const { method, headersDistinct: headers } = request;
    const { params, large } = asked;
    const { accept } = request.headers;
    const run = { params, method, headers, ctx, scope, large, accept, retry: retryOf(incoming, asked) };
    return await inSpan(ctx.usage, () => runner.run(run));
  }
}

/** Traces an operation as a part of its request. */
async function inSpan<Result>(usage: Usage, run: () => Promise<Result>): Promise<Result> {
  const outer = usage.span;
  if (!outer) return await run();
  const span = outer.child('graphql', 'internal');
  usage.span = span;
  try {
    return await run();
  } finally {
    usage.span = outer;
    span.rename(`graphql ${usage.operation}`);
    span.set({ 'events_gateway.cost': usage.cost });
    span.end();
  }
}

/** What a retry must repeat, if the request may have a key; a GET writes nothing. */
function retryOf({ request, response }: Incoming, { body }: Asked): OperationRequest['retry'] {
  if (body === null) return undefined;
  return {
    asked: [request.method, request.originalUrl, body],
    replayed: () => void response.setHeader('idempotency-replayed', 'true'),
  };
}

/** A parsed request. */
interface Asked {
  params: GraphqlParams;
  /** Whether the body exceeds the usual limit, which only some operations may. */
  large: boolean;
  /** The raw body if the request has an `Idempotency-Key`, since the body of a retry must be the same. */
  body: Buffer | null;
}

/** @throws DomainError */
function readParams(request: Request, checkRequest: GraphqlOptions['checkRequest']): Asked {
  if (request.method !== 'GET' && request.method !== 'POST') throw new MethodRefused('GET, POST');
  checkRequest(request);
  const body = receivedBody(request);
  if (request.method === 'POST') {
    const mayBeRetry = request.headers['idempotency-key'] !== undefined;
    const large = body.length > bodyLimits.usual;
    const params = bodyParams(parseJsonBody(request, body));
    // only variables may be large, not the document
    if (large && (params.query?.length ?? 0) > bodyLimits.usual) throw new DomainError('PAYLOAD_TOO_LARGE');
    return { params, large, body: mayBeRetry ? body : null };
  }
  if (pageRequested(request)) throw new DomainError('NOT_FOUND', { detail: 'GraphiQL is not served here.' });
  requirePreflight(request.headers);
  return { params: urlParams(request.originalUrl), large: false, body: null };
}

/** Whether a browser wants an HTML page; scripts accept JSON. */
function wantsPage(request: Request): boolean {
  return request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '');
}

function pageRequested(request: Request): boolean {
  return wantsPage(request) && request.query.query === undefined;
}

/** The media types of a GraphQL response, as in the GraphQL-over-HTTP specification. */
type ResponseType = 'application/graphql-response+json' | 'application/json';

/** Sends a result with the status, headers and body that Yoga determines. */
export async function sendResult(response: Response, result: ExecutionResult, fetchAPI: FetchAPI): Promise<void> {
  const written = processRegularResult(result, fetchAPI, responseType(response.req.headers.accept));
  response.statusCode = written.status;
  written.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  // as in REST: whoever begins anew must not be sent back by a cache
  const isExpired = result.errors?.some(({ extensions }) => extensions.code === 'CURSOR_EXPIRED');
  if (isExpired) response.setHeader('cache-control', 'no-store');
  endText(response, await written.text());
}

/** Sends the payloads of a subscription (GraphQL over SSE, distinct connections). */
export async function sendPayloads(response: Response, payloads: AsyncIterable<ExecutionResult>): Promise<void> {
  const events = new EventStream(response);
  for await (const payload of payloads) {
    await events.write(eventText({ event: 'next', data: payload }));
    if (!events.isOpen) break;
  }
  await events.write('event: complete\ndata:\n\n');
  events.end();
}

/**
 * The media type of a response. A client that accepts neither gets `application/json`: an unreadable error helps nobody.
 */
export function responseType(accept: string | undefined): ResponseType {
  const ranges = (accept ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => {
      const [type = '', ...parameters] = each.split(';').map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith('q='));
      return { type, weight: weight ? Number(weight.slice(2)) : 1 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { type } of ranges) {
    const answer = answers.get(type);
    if (answer) return answer;
  }
  return 'application/json';
}

const answers = new Map<string, ResponseType>([
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
]);
