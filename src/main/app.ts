import type { IncomingMessage } from 'node:http';
import express, { type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { type HttpExchange, whenAnswered } from '#bounded-http';
import type { DocumentOptions } from '#compiled-graphql';
import type { DemoSignIn } from '#explorer';
import type { Mailbox } from '#mail-folder';
import { PostgresDatabase } from '#postgres-access';
import type { Settings } from '../config/settings.ts';
import { toDomainError } from '../db/errors.ts';
import type { Orm } from '../db/orm.ts';
import type { Services } from '../domain/services.ts';
import { type Context, Loaders, type StepDatabase } from '../engine/context.ts';
import { bundleAssets, documents, explorerPage, referencePage } from '../explorer/explorer.ts';
import { exchangeOf, receivedBody } from '../http/exchange.ts';
import { bodyLimits, requireHost } from '../http/incoming.ts';
import { isLocalRequest } from '../http/loopback.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Client, ClientWaits, type Log } from '../kernel/request.ts';
import { DatabaseShare, type SharedDatabase } from '../kernel/turns/database-share.ts';
import { version } from '../kernel/version.ts';
import { accountPages } from '../pages/account-pages.ts';
import { errorPages } from '../pages/errors/error-pages.ts';
import { guestPages } from '../pages/guest/guest-pages.ts';
import { landingPage } from '../pages/landing-page.ts';
import { mailboxPages } from '../pages/mailbox-pages.ts';
import { onlyAllows } from '../pages/only-allows.ts';
import { formPaths } from '../pages/page-paths.ts';
import { publicPages } from '../pages/public/public-pages.ts';
import { publicCalendars } from '../pages/public-calendars.ts';
import { webhookMessages } from '../rest/nouns/webhook-messages.ts';
import { largeBodies, restRoutes } from '../rest/routes.ts';
import { openapiDocument } from '../rest/server/openapi.ts';
import { presentProblem, sendProblem } from '../rest/server/problem.ts';
import { mountRoutes } from '../rest/server/router.ts';
import { documentRules } from '../schema/execution/operation.ts';
import { createGraphqlEndpoint } from '../schema/server/endpoint.ts';
import { presentRefusedRequest } from '../schema/server/plugins/errors.ts';
import { errorHandler, refuse } from './failures.ts';
import type { Readiness } from './readiness.ts';
import { SharedOrigins } from './shared-origins.ts';
import { graphqlTwins, restTwins } from './twins.ts';

export interface AppOptions {
  orm: Orm;
  services: Services;
  settings: Settings;
  log: Logger;
  publicUrl: string;
  /** The current secrets, newest first. */
  cookieSecrets(): string[];
  documents: DocumentOptions;
  /** With a public password. */
  demoAccounts: readonly DemoSignIn[];
  /** Null if nobody may see the stored mails. */
  mailbox: Mailbox | null;
  shared: SharedDatabase;
  readiness: Readiness;
}

/** Pages and endpoints for operators. */
const getOnly = ['/openapi.json', '/healthz', '/readyz', '/verify-email', '/reset-password', '/invitation'];

/** The composition root: one Express app with both APIs over one domain. */
export function createApp(options: AppOptions): (exchange: HttpExchange) => void {
  const { settings, log, publicUrl } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', settings.http.trustProxy);
  app.set('case sensitive routing', true);
  const openDatabase = (ctx: Context) => {
    const db = new PostgresDatabase(options.orm, new DatabaseShare(ctx, options.shared));
    return { db, end: () => db.end() };
  };
  const createContext = (request: Request) => requestContext({ ...options, openDatabase }, request);

  const origins = new SharedOrigins({ named: settings.http.corsOrigins, local: !settings.exposed });
  const routes = restRoutes({
    publicUrl,
    cookieSecrets: options.cookieSecrets,
    trustsOrigin: (origin) => origins.allows(origin),
  });
  app.all(
    '/graphql',
    createGraphqlEndpoint({
      createContext,
      checkRequest: requireHost,
      settings,
      documents: options.documents,
      publicUrl,
      explorer: settings.http.graphiql
        ? explorerPage({ demo: options.demoAccounts, maxCost: documentRules.maxCost, twins: restTwins(routes) })
        : null,
      log,
      toDomainError,
    }),
  );
  app.use((request, _response, next) => {
    requireHost(request);
    next();
  });
  const fail = errorHandler(options);
  app.use(mountRoutes(routes, createContext, fail));
  app.use(publicPages({ createContext, publicUrl }));
  app.use(guestPages({ createContext }));
  app.use((request, _response, next) => {
    receivedBody(request);
    next();
  });
  if (settings.http.graphiql) app.use(bundleAssets('/graphql'));
  app.use(referencePage({ demo: options.demoAccounts, graphiql: settings.http.graphiql }));
  const { mailbox } = options;
  app.use(
    documents(publicUrl),
    landingPage({
      publicUrl,
      graphiql: settings.http.graphiql,
      demo: options.demoAccounts[0] ?? null,
      showsMailbox: (request) => mailbox !== null && isLocalRequest(request),
    }),
  );
  const example = { requestId: '01a20410-dec2-7da0-874c-a711c179bfe8', publicUrl };
  app.use(
    errorPages({
      rest: (error) => presentProblem(error, example),
      graphql: (error) => presentRefusedRequest(error, example),
      graphqlOnly: (code, message) => presentRefusedRequest({ code, message }, example),
    }),
  );
  app.use(accountPages());
  app.use(publicCalendars({ createContext, publicUrl }));
  if (mailbox) app.use(mailboxPages(mailbox, isLocalRequest));
  // serialized once, on demand: it is large, but rarely requested
  let openapi: Buffer | undefined;
  app.get('/openapi.json', (_request, response) => {
    openapi ??= Buffer.from(JSON.stringify(openapiDocument(routes, publicUrl, graphqlTwins(routes), webhookMessages)));
    response.set('content-type', 'application/json; charset=utf-8').send(openapi);
  });
  app.get('/healthz', (_request, response) => void response.json({ alive: true, version }));
  app.get('/readyz', (_request, response) => options.readiness.respond(response, options.publicUrl));
  app.all(getOnly, onlyAllows('GET, HEAD'));
  app.use(() => {
    throw new DomainError('NOT_FOUND');
  });
  app.use(fail);
  return ({ request, response }) => {
    const { refusal, requestId } = exchangeOf(request);
    const isOfPage = request.headers.origin !== undefined;
    // caches must not give a page what was answered to others: it has no header that lets the page read it
    if (settings.http.corsOrigins.length > 0) response.setHeader('vary', 'Origin');
    const fault = refusal ?? (isOfPage ? origins.refusal(request) : null);
    // Express has its own error page for a target that it cannot decode
    const unread = () => sendProblem(response, new DomainError('NOT_FOUND'), { requestId, publicUrl });
    const serve = () =>
      fault ? refuse(request, response, fault, publicUrl) : app(request as Request, response as Response, unread);
    // a preflight that is refused gets no headers
    if (isOfPage && !(fault && request.method === 'OPTIONS')) origins.share(request, response, serve);
    else serve();
  };
}

interface RequestContextOptions {
  openDatabase(ctx: Context): StepDatabase;
  services: Services;
  log: Log;
}

export function requestContext({ openDatabase, services, log }: RequestContextOptions, request: Request): Context {
  // no accessors: V8 would keep everything that it refers to long after the request (note 0034)
  const ctx = {
    services,
    loaders: new Loaders(),
    tokenUserId: null,
    viewer: null,
    membership: null,
    publicScope: null,
    client: clientOf(request),
    usage: exchangeOf(request).usage,
    waits: new ClientWaits(),
    now: new Date(),
    log,
    openDatabase: (): StepDatabase => openDatabase(ctx),
  } as Context;
  const { res: response } = request;
  const { db, end } = openDatabase(ctx);
  ctx.db = db;
  if (response) whenAnswered(response, end);
  endWithClient(ctx, response);
  return ctx;
}

/** Cancels everything that the request waits for if the client disconnects. */
function endWithClient(ctx: Context, response: Response | undefined): void {
  response?.once('close', () => {
    if (response.writableEnded || !ctx.waits.clientGone()) return;
    const { requestId } = ctx.client;
    ctx.log.info({ requestId }, 'the client disconnected; its statements are cancelled');
  });
}

function clientOf(request: Request): Client {
  const { ip, requestId } = exchangeOf(request);
  return { ip, userAgent: request.headers['user-agent']?.slice(0, 400) ?? null, requestId };
}

/** The operations whose bodies may be large. */
const large = [...formPaths.map((path) => ({ path, method: 'post' })), ...largeBodies].map(({ path, method }) => ({
  method: method.toUpperCase(),
  parts: path.split('/'),
}));

/** Whether a path has the given parts, of which `{id}` stands for any. */
function isOf(path: readonly string[], parts: readonly string[]): boolean {
  return (
    path.length === parts.length && parts.every((part, at) => (part.startsWith('{') ? path[at] : part === path[at]))
  );
}

/** In bytes. In GraphQL it depends on the operation, which is in the body: with a token, a large one is refused afterwards. */
export function bodyLimit({ method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>, path: string): number {
  const isGraphql = path === '/graphql' || path === '/graphql/';
  const isLarge = isGraphql
    ? headers.authorization !== undefined
    : large.some((each) => each.method === method && isOf(path.split('/'), each.parts));
  return isLarge ? bodyLimits.large : bodyLimits.usual;
}
