import type { Request, RequestHandler, Response } from 'express';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { createYoga, type Plugin, processRegularResult } from 'graphql-yoga';
import type { Context, Log } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import { readJson } from './body.ts';
import { requirePreflight } from './cross-site.ts';
import { type DocumentOptions, Documents } from './document.ts';
import { type ErrorScope, refusal } from './errors.ts';
import { serveGraphiql } from './graphiql.ts';
import { writeResponse, writeResult } from './lane.ts';
import { responseType } from './media-type.ts';
import { OperationRunner } from './operation.ts';
import { bodyParams, type GraphqlParams, urlParams } from './params.ts';
import { schema } from './schema.ts';

export interface GraphqlOptions {
  /** Makes the context of one request; the composition root knows how. */
  createContext(request: Request): Context;
  /** Refuses what no face takes, whatever it asks for. @throws DomainError */
  checkRequest(request: Request): void;
  settings: { http: { graphiql: boolean } };
  documents?: DocumentOptions;
  log: Log;
  /** Recognizes failures of the database that are expected; anything else comes back as it is. */
  toDomainError(error: unknown): unknown;
}

/** A request, and what its answer takes. */
interface Incoming {
  request: Request;
  response: Response;
  ctx: Context;
  scope: ErrorScope;
}

/** What a request carries from Express through Yoga. */
interface Call extends Incoming {
  /** What the request asks for, or why that could not be read. */
  read: { params: GraphqlParams } | { failure: unknown };
}

/** Serves GraphQL, and GraphiQL to browsers, at `/graphql`. */
export function createGraphqlHandler(options: GraphqlOptions): RequestHandler {
  const documents = new Documents(schema, options.documents);
  const runner = new OperationRunner(schema, documents);
  const yoga = createYoga<{ call: Call }>({
    schema,
    plugins: [ourRules(runner)],
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    // both are done by the runner, which knows the request; what gets here is a refusal already
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
    if (options.settings.http.graphiql && wantsPage(request)) {
      serveGraphiql(request, response, next);
      return;
    }
    const ctx = options.createContext(request);
    const scope: ErrorScope = {
      // what few answers need: who the client is takes some finding out
      get requestId() {
        return ctx.client.requestId;
      },
      log: options.log,
      toDomainError: options.toDomainError,
    };
    answer({ request, response, ctx, scope })
      .catch((error) => write(request, response, { errors: [refusal(scope, error)] }))
      .catch(next);
  };

  /** What was validated before runs without Yoga's pipeline, which costs more than the operation; the rest goes through it. */
  async function answer(incoming: Incoming): Promise<void> {
    const { request, response, ctx, scope } = incoming;
    const read = await readParams(incoming, options.checkRequest).then(
      (params) => ({ params }),
      (failure: unknown) => ({ failure }),
    );
    if ('failure' in read || !documents.isValid(read.params)) {
      // a request of our own: Yoga would make a URL of the client's host and target, and fail where they give none
      const plain = new yoga.fetchAPI.Request('http://localhost/graphql', { method: 'POST' });
      await writeResponse(response, await yoga.fetch(plain, { call: { ...incoming, read } }));
      return;
    }
    const { method, headersDistinct: headers } = request;
    const result = await runner.answer({ params: read.params, method, headers, ctx, scope });
    await write(request, response, result);
  }

  function write({ headers }: Request, response: Response, result: ExecutionResult | string): Promise<void> {
    return writeResult(response, result, responseType(headers.accept), yoga.fetchAPI);
  }
}

/** What an answer depends on; to put that together with what is there already is seldom needed, and dear. */
function varyByAccess(response: Response): void {
  const names = 'accept, authorization, x-organization-id';
  if (response.hasHeader('vary')) response.vary(names);
  else response.setHeader('vary', names);
}

/** Yoga reads and writes HTTP; what a request must be, and what runs, is ours. */
function ourRules(runner: OperationRunner): Plugin<object, { call: Call }> {
  return {
    onRequestParse({ serverContext: { call }, setRequestParser }) {
      setRequestParser(() => {
        if ('failure' in call.read) throw call.read.failure;
        // Yoga wants a text; the runner knows all the rest
        return { query: 'found by the runner' };
      });
    },
    onParams({ setParamsHandler }) {
      setParamsHandler(({ context }) => {
        const { request, ctx, scope, read } = (context as unknown as { call: Call }).call;
        const { params } = read as { params: GraphqlParams };
        return runner.run({ params, method: request.method, headers: request.headersDistinct, ctx, scope });
      });
    },
    onResultProcess({ serverContext: { call }, setResultProcessor }) {
      setResultProcessor(processRegularResult, responseType(call.request.headers.accept));
    },
  };
}

async function readParams(
  { request, response, scope }: Incoming,
  checkRequest: GraphqlOptions['checkRequest'],
): Promise<GraphqlParams> {
  if (request.method !== 'GET' && request.method !== 'POST') {
    throw refusal(scope, new DomainError('METHOD_NOT_ALLOWED'), { allow: 'GET, POST' });
  }
  try {
    checkRequest(request);
    if (request.method === 'POST') return bodyParams(await readJson(request));
    if (pageRequested(request)) throw new DomainError('NOT_FOUND', { detail: 'GraphiQL is not served here.' });
    requirePreflight(request.headers);
    return urlParams(request.originalUrl);
  } catch (error) {
    // the rest of the body is not wanted
    if (error instanceof DomainError && error.code === 'PAYLOAD_TOO_LARGE') response.set('connection', 'close');
    throw refusal(scope, error);
  }
}

/** A browser that opens the address; scripts accept JSON. */
function wantsPage(request: Request): boolean {
  return request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '');
}

function pageRequested(request: Request): boolean {
  return wantsPage(request) && request.query.query === undefined;
}

/** Yoga's own words are for those who look for faults in it. */
function yogaLog(log: Log) {
  const debug = (...args: unknown[]) => log.debug({ args }, 'yoga');
  return { debug: () => undefined, info: debug, warn: debug, error: debug };
}
