import type { Request, RequestHandler, Response } from 'express';
import { GraphQLError } from 'graphql';
import { createYoga, type Plugin, processRegularResult } from 'graphql-yoga';
import type { Context, Log } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import { readJson } from './body.ts';
import { requirePreflight } from './cross-site.ts';
import { Documents } from './document.ts';
import { type ErrorScope, refusal } from './errors.ts';
import { serveGraphiql } from './graphiql.ts';
import { responseType } from './media-type.ts';
import { OperationRunner } from './operation.ts';
import { bodyParams, type GraphqlParams, urlParams } from './params.ts';
import { schema } from './schema.ts';

export interface GraphqlOptions {
  /** Makes the context of one request; the composition root knows how. */
  createContext(request: Request): Context;
  settings: { http: { graphiql: boolean } };
  log: Log;
  /** Recognizes failures of the database that are expected; anything else comes back as it is. */
  toDomainError(error: unknown): unknown;
}

/** What a request carries from Express through Yoga. */
interface Call {
  request: Request;
  response: Response;
  ctx: Context;
  scope: ErrorScope;
}

/** Serves GraphQL, and GraphiQL to browsers, at the path that it is mounted on: `/graphql`. */
export function createGraphqlHandler(options: GraphqlOptions): RequestHandler {
  const runner = new OperationRunner(schema, new Documents(schema));
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
    if (request.path !== '/') {
      next();
      return;
    }
    response.set('cache-control', 'private, no-cache').vary('accept, authorization, x-organization-id');
    if (options.settings.http.graphiql && wantsPage(request)) {
      serveGraphiql(request, response, next);
      return;
    }
    const ctx = options.createContext(request);
    const scope = { requestId: ctx.client.requestId, log: options.log, toDomainError: options.toDomainError };
    yoga(request, response, { call: { request, response, ctx, scope } });
  };
}

/** Yoga reads and writes HTTP; what a request must be, and what runs, is ours. */
function ourRules(runner: OperationRunner): Plugin<object, { call: Call }> {
  return {
    onRequestParse({ serverContext: { call }, setRequestParser }) {
      if (call.request.method !== 'GET' && call.request.method !== 'POST') {
        throw refusal(call.scope, new DomainError('METHOD_NOT_ALLOWED'), { allow: 'GET, POST' });
      }
      setRequestParser(() => readParams(call));
    },
    onParams({ setParamsHandler }) {
      setParamsHandler(({ params, context }) => {
        const { request, ctx, scope } = (context as unknown as { call: Call }).call;
        const headers = request.headersDistinct;
        return runner.run({ params: params as GraphqlParams, method: request.method, headers, ctx, scope });
      });
    },
    onResultProcess({ serverContext: { call }, setResultProcessor }) {
      setResultProcessor(processRegularResult, responseType(call.request.headers.accept));
    },
  };
}

async function readParams({ request, response, scope }: Call): Promise<GraphqlParams> {
  try {
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
