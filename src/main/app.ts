import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { MikroORM } from '@mikro-orm/postgresql';
import cors from 'cors';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { connectionsOf } from '../db/access/connections.ts';
import { LoadMemory } from '../db/access/load.ts';
import { RequestDatabase } from '../db/access/request-database.ts';
import { SharedPools } from '../db/access/shared-pool.ts';
import { toDomainError } from '../db/errors.ts';
import type { Services } from '../domain/services.ts';
import type { Context } from '../engine/context.ts';
import { explorerAssets, explorerPage } from '../explorer/explorer.ts';
import type { DemoAccount } from '../explorer/page-settings.ts';
import { exchangeOf, pathOf, receivedBody, withoutSecrets } from '../http/exchange.ts';
import { requireHost } from '../http/framing.ts';
import { isLocalRequest } from '../http/loopback.ts';
import { requestContext } from '../http/request-context.ts';
import { DomainError } from '../kernel/errors.ts';
import { ClientGone } from '../kernel/request.ts';
import { accountPages } from '../pages/account-pages.ts';
import { sendErrorPage } from '../pages/error-page.ts';
import { guestPages } from '../pages/guest/guest-pages.ts';
import { invitationPage } from '../pages/invitation-page.ts';
import { landingPage } from '../pages/landing-page.ts';
import { type Mailbox, mailboxPages } from '../pages/mailbox-pages.ts';
import { onlyAllows } from '../pages/only-allows.ts';
import { isPage } from '../pages/page-paths.ts';
import { publicPages } from '../pages/public/public-pages.ts';
import { publicCalendars } from '../pages/public-calendars.ts';
import { restRoutes } from '../rest/routes.ts';
import { openapiDocument } from '../rest/server/openapi.ts';
import { sendProblem } from '../rest/server/problem.ts';
import { mountRoutes } from '../rest/server/router.ts';
import type { DocumentOptions } from '../schema/documents/documents.ts';
import { maxCost } from '../schema/execution/cost.ts';
import { createGraphqlHandler } from '../schema/server/handler.ts';
import { presentRefusal } from './present-refusal.ts';
import { restTwins } from './rest-twins.ts';
import { sharedAnswer } from './shared-answer.ts';

/** The dependencies of the two faces. */
export interface AppOptions {
  orm: MikroORM;
  services: Services;
  settings: Settings;
  log: Logger;
  /** Where clients reach the service. */
  publicUrl: string;
  /** The current secrets, newest first. */
  cookieSecrets(): string[];
  /** The trusted documents of the GraphQL face. */
  documents: DocumentOptions;
  /** Demo accounts with a public password. */
  demoAccounts: readonly DemoAccount[];
  /** The stored mails; null if nobody may see them. */
  mailbox: Mailbox | null;
}

/** Paths that are not operations of the interface: pages and endpoints for operators. */
const getOnly = ['/openapi.json', '/healthz', '/readyz', '/verify-email', '/reset-password', '/invitation'];

/** The composition root: one Express app with both faces over one domain. */
export function createApp(options: AppOptions): RequestListener {
  const { settings, log } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', settings.http.trustProxy);
  app.set('case sensitive routing', true);
  const { database } = settings.bounds;
  const shares = { ...database, patience: database.readTimeout };
  const connections = connectionsOf(options.orm);
  const pools = new SharedPools(shares);
  const memory = new LoadMemory({ ...shares, largeValueBytes: settings.bounds.largeValueBytes });
  const openDatabase = (ctx: Context, whenAnswered: (listener: () => void) => void) => {
    const opened = new RequestDatabase(ctx, { orm: options.orm, connections, pools, memory });
    whenAnswered(() => opened.end());
    return opened;
  };
  const createContext = (request: Request) => requestContext({ ...options, openDatabase }, request);

  const origins = settings.http.corsOrigins;
  const shareWithOrigins = cors({
    origin: origins.length > 0 && origins,
    credentials: true,
    exposedHeaders: [
      ...['etag', 'location', 'idempotency-replayed', 'x-count-exact'],
      ...['content-disposition', 'retry-after', 'x-request-id'],
    ],
    maxAge: 600,
  });
  if (origins.length > 0) app.use(shareWithOrigins);
  const routes = restRoutes({
    publicUrl: options.publicUrl,
    cookieSecrets: options.cookieSecrets,
    corsOrigins: settings.http.corsOrigins,
  });
  app.all(
    '/graphql',
    createGraphqlHandler({
      createContext,
      checkRequest: requireHost,
      settings,
      documents: options.documents,
      explorer: settings.http.graphiql
        ? explorerPage({ demo: options.demoAccounts, maxCost, twins: restTwins(routes) })
        : null,
      log,
      toDomainError,
    }),
  );
  app.use((request, _response, next) => {
    requireHost(request);
    next();
  });
  app.use(mountRoutes(routes, createContext));
  app.use(publicPages({ createContext, publicUrl: options.publicUrl }));
  app.use(guestPages({ createContext }));
  app.use((request, _response, next) => {
    receivedBody(request);
    next();
  });
  if (settings.http.graphiql) app.use(explorerAssets());
  const { mailbox } = options;
  app.use(
    landingPage({
      publicUrl: options.publicUrl,
      graphiql: settings.http.graphiql,
      demo: options.demoAccounts.length > 0,
      showsMailbox: (request) => mailbox !== null && isLocalRequest(request),
    }),
  );
  app.use(accountPages());
  app.use(invitationPage());
  app.use(publicCalendars({ createContext, publicUrl: options.publicUrl }));
  if (mailbox) app.use(mailboxPages(mailbox, isLocalRequest));
  // serialized once, on demand: it is large and public, but rarely requested
  let openapi: Buffer | undefined;
  app.get('/openapi.json', (_request, response) => {
    openapi ??= Buffer.from(JSON.stringify(openapiDocument(routes, options.publicUrl)));
    response.set('content-type', 'application/json; charset=utf-8').send(openapi);
  });
  app.get('/healthz', (_request, response) => void response.json(true));
  // public and unlimited, so concurrent checks share one query; a connection that does not answer is closed
  const question = { text: 'select 1', query_timeout: 2_000 };
  const reachPrimary = sharedAnswer(() => connections.primary.query(question), 1_000);
  app.get('/readyz', async (_request, response) => {
    await reachPrimary();
    // if no replica responds, the primary serves reads
    const { replicas } = connections;
    if (replicas) response.set('x-replicas', `${replicas.answering}/${replicas.count}`);
    response.json(true);
  });
  app.all(getOnly, onlyAllows('GET, HEAD'));
  app.use(() => {
    throw new DomainError('NOT_FOUND');
  });
  app.use(errorHandler(log));
  return (request, response) => {
    const { fault, requestId } = exchangeOf(request);
    // Express has its own error page for a target that it cannot decode
    const unread = () => sendProblem(response, new DomainError('NOT_FOUND'), requestId);
    if (!fault) app(request as Request, response as Response, unread);
    // the middleware itself responds to preflights
    else if (request.method === 'OPTIONS') refuse(request, response, fault);
    else shareWithOrigins(request, response, () => refuse(request, response, fault));
  };
}

/** Refuses a request before any face sees it, because it is malformed or exceeds a limit. */
function refuse(request: IncomingMessage, response: ServerResponse, fault: DomainError): void {
  const { requestId } = exchangeOf(request);
  const { headers, body } = presentRefusal(fault, {
    target: request.url ?? '',
    accept: request.headers.accept,
    requestId,
  });
  response.writeHead(fault.status, headers).end(body);
}

function errorHandler(log: Logger) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    if (error instanceof ClientGone) {
      response.destroy();
      return;
    }
    const requestId = String(response.get('x-request-id'));
    // a path that is not percent-encoded UTF-8 does not exist
    const translated = error instanceof URIError ? new DomainError('NOT_FOUND') : toDomainError(error);
    const known = translated instanceof DomainError ? translated : null;
    if (!known || known.status >= 500) {
      log.error(
        { requestId, method: request.method, path: withoutSecrets(pathOf(request.originalUrl)), err: error },
        'request failed',
      );
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const shown = known ?? new DomainError('INTERNAL_SERVER_ERROR');
    const send = isPage(pathOf(request.originalUrl)) ? sendErrorPage : sendProblem;
    send(response, shown, requestId);
  };
}
