import type { IncomingMessage } from 'node:http';
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from 'express';
import type { ExecutionResult } from 'graphql';
import { YogaServer } from 'graphql-yoga';
import { EventStream, endText, eventText } from '#bounded-http';
import { type DocumentOptions, Documents } from '#compiled-graphql';
import type { Context } from '../../engine/context.ts';
import { exchangeOf } from '../../http/exchange.ts';
import type { Log } from '../../kernel/request.ts';
import { documentRules } from '../execution/operation.ts';
import { schema } from '../schema.ts';
import { useAccess } from './plugins/access.ts';
import { useDocuments } from './plugins/documents.ts';
import { useErrors } from './plugins/errors.ts';
import { useExecutor } from './plugins/executor.ts';
import { useIdempotency } from './plugins/idempotency.ts';
import { useParameters, wantsPage } from './plugins/parameters.ts';
import { useResponse } from './plugins/response.ts';
import type { Served } from './plugins/served.ts';
import { useSubscriptions } from './plugins/subscriptions.ts';
import { useTurns } from './plugins/turns.ts';
import { useUsage } from './plugins/usage.ts';

export interface GraphqlOptions {
  createContext(request: ExpressRequest): Context;
  /** The checks that both APIs make. @throws DomainError */
  checkRequest(request: ExpressRequest): void;
  settings: { bounds: { documentCacheBytes: number; database: { readTimeout: number } } };
  documents?: DocumentOptions;
  publicUrl: string;
  /** Null if GraphiQL is disabled. */
  explorer: RequestHandler | null;
  log: Log;
  /** Converts expected database failures; returns any other error unchanged. */
  toDomainError(error: unknown): unknown;
}

/** Whatever differs from Yoga is a plugin (note 0088). */
export function createGraphqlEndpoint(options: GraphqlOptions): RequestHandler {
  const { publicUrl, log, toDomainError, explorer } = options;
  const { documentCacheBytes: cacheBytes, database } = options.settings.bounds;
  const documents = new Documents(schema, documentRules, { ...options.documents, cacheBytes });
  const yoga = new YogaServer<Served, object>({
    schema,
    plugins: [
      // in the order of their checks
      useDocuments(documents),
      useParameters(options.checkRequest),
      useAccess(),
      useUsage(schema),
      // each wraps the execution of those before it
      useExecutor(),
      useSubscriptions(),
      useIdempotency(),
      useTurns(documents, database.readTimeout),
      useErrors(),
      useResponse(),
    ],
    fetchAPI: { Response: PlainResponse as never },
    maxRequestBodySize: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    parserAndValidationCache: false,
    maskedErrors: false,
    logging: false,
  });
  return (incoming, response, next) => {
    if (incoming.path !== '/graphql' && incoming.path !== '/graphql/') {
      next();
      return;
    }
    response.setHeader('cache-control', 'private, no-cache');
    response.appendHeader('vary', 'accept, authorization, x-organization-id');
    if (explorer && wantsPage(incoming) && exchangeOf(incoming).body) {
      explorer(incoming, response, next);
      return;
    }
    const ctx = options.createContext(incoming);
    ctx.usage.face = 'graphql';
    ctx.usage.operation = 'refused';
    const scope = { requestId: ctx.client.requestId, publicUrl, log, toDomainError };
    const served: Pick<Served, 'incoming' | 'ctx' | 'scope'> = { incoming, ctx, scope };
    Promise.resolve(yoga.handle(plainRequest(incoming), served as never))
      .then((made) => send(response, made as unknown as PlainResponse))
      .catch(next);
  };
}

/** The parts that Yoga reads: a complete request costs more than a small query, and fails for an invalid URL. */
function plainRequest({ method, url }: IncomingMessage): Request {
  return { method, url, headers: noHeaders } as Request;
}

/** Plugins read the headers of the original request, and replace what Yoga would choose by them. */
const noHeaders = { get: () => null } as Partial<Headers>;

/** A text, or the payloads of a subscription. */
class PlainResponse {
  readonly body: string | AsyncIterable<ExecutionResult>;
  readonly init: { status: number; headers: Readonly<Record<string, string>> };

  constructor(body: PlainResponse['body'], init: PlainResponse['init']) {
    this.body = body;
    this.init = init;
  }
}

async function send(response: ExpressResponse, { body, init }: PlainResponse): Promise<void> {
  if (typeof body !== 'string') return await sendPayloads(response, body);
  response.statusCode = init.status;
  for (const name of Object.keys(init.headers)) response.setHeader(name.toLowerCase(), init.headers[name] as string);
  endText(response, body);
}

/** GraphQL over SSE, distinct connections. */
async function sendPayloads(response: ExpressResponse, payloads: AsyncIterable<ExecutionResult>): Promise<void> {
  const events = new EventStream(response);
  for await (const payload of payloads) {
    // Yoga turns a failure into a payload, but clients reconnect only if the connection ends
    const failure = payload.errors?.[0]?.originalError;
    if (failure) throw failure;
    await events.write(eventText({ event: 'next', data: payload }));
    if (!events.isOpen) break;
  }
  await events.write('event: complete\ndata:\n\n');
  events.end();
}
