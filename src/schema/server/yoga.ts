import type { Request, RequestHandler, Response } from 'express';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { createYoga, type Plugin, processRegularResult } from 'graphql-yoga';
import type { Context } from '../../engine/context.ts';
import { bodyLimits } from '../../http/body.ts';
import { exchangeOf, receivedBody } from '../../http/exchange.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/request.ts';
import { schema } from '../schema.ts';
import { requirePreflight } from './cross-site.ts';
import { type DocumentOptions, Documents } from './document.ts';
import { type ErrorScope, refusal } from './errors.ts';
import { writeResponse, writeResult } from './lane.ts';
import { responseType } from './media-type.ts';
import { type OperationRequest, OperationRunner } from './operation.ts';
import { bodyParams, type GraphqlParams, urlParams } from './params.ts';

export interface GraphqlOptions {
  /** Creates the context of a request; provided by the composition root. */
  createContext(request: Request): Context;
  /** Refuses requests that no face accepts. @throws DomainError */
  checkRequest(request: Request): void;
  settings: { bounds: { documentCacheBytes: number; database: { readTimeout: number } } };
  documents?: DocumentOptions;
  /** Serves GraphiQL to browsers; null if it is switched off. */
  explorer: RequestHandler | null;
  log: Log;
  /** Converts expected failures of the database; any other error is returned unchanged. */
  toDomainError(error: unknown): unknown;
}

/** A request, and what its response needs. */
interface Incoming {
  request: Request;
  response: Response;
  ctx: Context;
  scope: ErrorScope;
}

/** The data of a request that pass from Express through Yoga. */
interface Call extends Incoming {
  /** The parsed request, or the error of parsing it. */
  read: Asked | { failure: unknown };
}

/** A parsed request. */
interface Asked {
  params: GraphqlParams;
  /** Whether the body is larger than those of most operations may be. */
  large: boolean;
  /** The raw body, kept for a possible retry, whose body must equal that of the first request. */
  body: Buffer | null;
}

/** Serves GraphQL, and GraphiQL to browsers, at `/graphql`. */
export function createGraphqlHandler(options: GraphqlOptions): RequestHandler {
  const documents = new Documents(schema, {
    ...options.documents,
    cacheBytes: options.settings.bounds.documentCacheBytes,
  });
  const runner = new OperationRunner(schema, documents, options.settings.bounds.database.readTimeout);
  const yoga = createYoga<{ call: Call }>({
    schema,
    plugins: [ourRules(runner)],
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    // the runner does both; Yoga only sees refusals
    parserAndValidationCache: false,
    maskedErrors: { maskError: (error) => (error instanceof GraphQLError ? error : new GraphQLError('')) },
    logging: yogaLog(options.log),
  });
  return (request, response, next) => {
    if (request.path !== '/graphql' && request.path !== '/graphql/') {
      next();
      return;
    }
    response.setHeader('cache-control', 'private, no-cache');
    varyByAccess(response);
    if (options.explorer && wantsPage(request) && exchangeOf(request).body) {
      options.explorer(request, response, next);
      return;
    }
    const ctx = options.createContext(request);
    const scope: ErrorScope = {
      requestId: ctx.client.requestId,
      log: options.log,
      toDomainError: options.toDomainError,
    };
    answer({ request, response, ctx, scope })
      .catch((error) => write(request, response, { errors: [refusal(scope, error)] }))
      .catch(next);
  };

  /** Validated documents bypass Yoga's pipeline, which costs more than the operation; all others go through it. */
  async function answer(incoming: Incoming): Promise<void> {
    const { request, response, ctx, scope } = incoming;
    const read = readParams(incoming, options.checkRequest);
    if ('failure' in read || !documents.isValid(read.params)) {
      // our own request: Yoga would build a URL from the client's host and target, and fail if that is invalid
      const plain = new yoga.fetchAPI.Request('http://localhost/graphql', { method: 'POST' });
      await writeResponse(response, await yoga.fetch(plain, { call: { ...incoming, read } }));
      return;
    }
    const { method, headersDistinct: headers } = request;
    const retry = retryOf(incoming, read);
    const { params, large } = read;
    const result = await runner.answer({ params, method, headers, ctx, scope, large, retry });
    await write(request, response, result);
  }

  function write({ headers }: Request, response: Response, result: ExecutionResult | string): Promise<void> {
    return writeResult(response, result, responseType(headers.accept), yoga.fetchAPI);
  }
}

/** Sets `Vary`; merging with an existing value is rarely needed, and expensive. */
function varyByAccess(response: Response): void {
  const names = 'accept, authorization, x-organization-id';
  if (response.hasHeader('vary')) response.vary(names);
  else response.setHeader('vary', names);
}

/** Yoga only handles HTTP; we check and run operations. */
function ourRules(runner: OperationRunner): Plugin<object, { call: Call }> {
  return {
    onRequestParse({ serverContext: { call }, setRequestParser }) {
      setRequestParser(() => {
        if ('failure' in call.read) throw call.read.failure;
        // Yoga requires a text; the runner has the rest
        return { query: 'set by the runner' };
      });
    },
    onParams({ setParamsHandler }) {
      setParamsHandler(({ context }) => {
        const { call } = context as unknown as { call: Call };
        const { request, ctx, scope, read } = call;
        const asked = read as Asked;
        const { method, headersDistinct: headers } = request;
        const { params, large } = asked;
        return runner.run({ params, method, headers, ctx, scope, large, retry: retryOf(call, asked) });
      });
    },
    onResultProcess({ serverContext: { call }, setResultProcessor }) {
      setResultProcessor(processRegularResult, responseType(call.request.headers.accept));
    },
  };
}

/** The data that a retry must repeat, if the request has a key; a GET writes nothing. */
function retryOf({ request, response }: Incoming, { body }: Asked): OperationRequest['retry'] {
  if (body === null) return undefined;
  return {
    asked: [request.method, request.originalUrl, body],
    replayed: () => void response.setHeader('idempotency-replayed', 'true'),
  };
}

function readParams({ request, scope }: Incoming, checkRequest: GraphqlOptions['checkRequest']): Call['read'] {
  if (request.method !== 'GET' && request.method !== 'POST') {
    return { failure: refusal(scope, new DomainError('METHOD_NOT_ALLOWED'), { allow: 'GET, POST' }) };
  }
  try {
    checkRequest(request);
    const body = receivedBody(request);
    if (request.method === 'POST') {
      const mayBeRetry = request.headers['idempotency-key'] !== undefined;
      const large = body.length > bodyLimits.usual;
      const params = bodyParams(parseJsonBody(request, body));
      // what is large are variables
      if (large && (params.query?.length ?? 0) > bodyLimits.usual) throw new DomainError('PAYLOAD_TOO_LARGE');
      return { params, large, body: mayBeRetry ? body : null };
    }
    if (pageRequested(request)) throw new DomainError('NOT_FOUND', { detail: 'GraphiQL is not served here.' });
    requirePreflight(request.headers);
    return { params: urlParams(request.originalUrl), large: false, body: null };
  } catch (error) {
    return { failure: refusal(scope, error) };
  }
}

/** Whether a browser opens the page; scripts accept JSON. */
function wantsPage(request: Request): boolean {
  return request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '');
}

function pageRequested(request: Request): boolean {
  return wantsPage(request) && request.query.query === undefined;
}

/** Yoga's own messages are logged at debug level. */
function yogaLog(log: Log) {
  const debug = (...args: unknown[]) => log.debug({ args }, 'yoga');
  return { debug: () => undefined, info: debug, warn: debug, error: debug };
}
