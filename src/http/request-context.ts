import type { Request, Response } from 'express';
import type { Services } from '../domain/services.ts';
import type { Context, OpenDatabase } from '../engine/context.ts';
import type { Database } from '../engine/database.ts';
import { Loaders } from '../engine/loaders.ts';
import { type Client, ClientWaits, type Log } from '../kernel/request.ts';
import { exchangeOf, whenAnswered } from './exchange.ts';

interface RequestContextOptions {
  openDatabase(ctx: Context): OpenDatabase;
  services: Services;
  log: Log;
}

/** Creates the context of a request, with its own loaders, `now` and database. */
export function requestContext({ openDatabase, services, log }: RequestContextOptions, request: Request): Context {
  // no accessors: V8 would keep the object, and everything it refers to, long after the request (note 0048)
  const ctx: Context = {
    db: undefined as unknown as Database,
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
    openDatabase: () => openDatabase(ctx),
  };
  const { res: response } = request;
  const { db, end } = openDatabase(ctx);
  ctx.db = db;
  if (response) whenAnswered(response, end);
  endWithClient(ctx, response);
  return ctx;
}

/** Cancels everything that the request waits for if the client disconnects before the response is written. */
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
