import type { RequestListener } from 'node:http';
import type { MikroORM } from '@mikro-orm/postgresql';
import cors from 'cors';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { Settings } from './config.ts';
import { toDomainError } from './db/errors.ts';
import { DomainError } from './domain/errors.ts';
import type { Services } from './domain/services.ts';
import { requireHost } from './host.ts';
import { beginRequest, pathOf } from './request.ts';
import { requestContext } from './request-context.ts';
import { accountPages } from './rest/account-pages.ts';
import { invitationPage } from './rest/invitation-page.ts';
import { type Mailbox, mailboxPages } from './rest/mailbox-pages.ts';
import { openapiDocument } from './rest/openapi.ts';
import { sendProblem } from './rest/problem.ts';
import { mountRoutes } from './rest/router.ts';
import { restRoutes } from './rest/routes.ts';
import type { DocumentOptions } from './schema/document.ts';
import { createGraphqlHandler } from './schema/yoga.ts';

/** What the two faces are built from. */
export interface AppOptions {
  orm: MikroORM;
  services: Services;
  settings: Settings;
  log: Logger;
  /** Where clients reach the service; known once the port is. */
  publicUrl: string;
  /** Newest first. */
  cookieSecrets: string[];
  /** Which documents the GraphQL face trusts. */
  documents: DocumentOptions;
  /** Shows the mails that were kept; null where nobody may see them. */
  mailbox: Mailbox | null;
}

/** What is no operation of the interface: pages, and what operators look at. */
const getOnly = ['/openapi.json', '/healthz', '/readyz', '/verify-email', '/reset-password', '/invitation'];

/** The composition root: one Express app with both faces over one domain. */
export function createApp(options: AppOptions): RequestListener {
  const { settings, log } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', settings.http.trustProxy);
  app.set('case sensitive routing', true);
  const createContext = (request: Request) => requestContext(options, request);

  if (settings.http.corsOrigins.length > 0) {
    const exposedHeaders = ['x-request-id', 'retry-after', 'x-count-exact'];
    app.use(cors({ origin: settings.http.corsOrigins, credentials: true, exposedHeaders, maxAge: 600 }));
  }
  app.use(
    createGraphqlHandler({
      createContext,
      checkRequest: requireHost,
      settings,
      documents: options.documents,
      log,
      toDomainError,
    }),
  );
  app.use((request, _response, next) => {
    requireHost(request);
    next();
  });
  const routes = restRoutes({
    publicUrl: options.publicUrl,
    cookieSecrets: options.cookieSecrets,
    corsOrigins: settings.http.corsOrigins,
  });
  app.use(mountRoutes(routes, createContext));
  app.use(accountPages());
  app.use(invitationPage());
  if (options.mailbox) app.use(mailboxPages(options.mailbox));
  const openapi = openapiDocument(routes, options.publicUrl);
  app.get('/openapi.json', (_request, response) => void response.json(openapi));
  app.get('/healthz', (_request, response) => void response.json(true));
  app.get('/readyz', async (_request, response) => {
    await options.orm.em.fork().execute('select 1');
    response.json(true);
  });
  app.all([...getOnly, ...(options.mailbox ? ['/dev/mailbox', '/dev/mailbox/:name'] : [])], (_request, response) => {
    response.set('allow', 'GET, HEAD');
    throw new DomainError('METHOD_NOT_ALLOWED');
  });
  app.use(() => {
    throw new DomainError('NOT_FOUND');
  });
  app.use(errorHandler(log));
  return (request, response) => {
    const requestId = beginRequest(log, request, response);
    // Express gives back a target that it cannot read, and then has a page of its own to say so
    const unread = () => sendProblem(response as Response, new DomainError('NOT_FOUND'), requestId);
    app(request as Request, response as Response, unread);
  };
}

function errorHandler(log: Logger) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const requestId = String(response.get('x-request-id'));
    // a path that is not percent-encoded UTF-8 names nothing
    const translated = error instanceof URIError ? new DomainError('NOT_FOUND') : toDomainError(error);
    const known = translated instanceof DomainError ? translated : null;
    if (!known || known.status >= 500) {
      log.error({ requestId, method: request.method, path: pathOf(request.originalUrl), err: error }, 'request failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (known?.code === 'PAYLOAD_TOO_LARGE') response.set('connection', 'close');
    sendProblem(response, known ?? new DomainError('INTERNAL_SERVER_ERROR'), requestId);
  };
}
