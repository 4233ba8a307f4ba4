import type { Request, Response } from 'express';
import type { Services } from '../domain/services.ts';
import type { Context } from '../engine/context.ts';
import type { Database } from '../engine/database.ts';
import { Loaders } from '../engine/loaders.ts';
import { ClientWaits } from '../kernel/client-waits.ts';
import type { Client, Log } from '../kernel/request.ts';
import { exchangeOf, whenAnswered } from './exchange.ts';

interface RequestContextOptions {
  /** @param whenAnswered takes what is to be done once the response was handed over, or nobody waits for it */
  openDatabase(ctx: Context, whenAnswered: (listener: () => void) => void): Database;
  services: Services;
  log: Log;
}

/** Creates the context of a request, with its own loaders, `now` and database. */
export function requestContext({ openDatabase, services, log }: RequestContextOptions, request: Request): Context {
  // no accessors: V8 would keep it, and all that it refers to, long after the request (note 0048)
  const ctx: Context = {
    db: undefined as unknown as Database,
    services,
    loaders: new Loaders(),
    tokenUserId: null,
    viewer: null,
    membership: null,
    publicScope: null,
    client: clientOf(request),
    waits: new ClientWaits(),
    now: new Date(),
    log,
  };
  const { res: response } = request;
  ctx.db = openDatabase(ctx, (listener) => response && whenAnswered(response, listener));
  endWithClient(ctx, response);
  return ctx;
}

/** Cancels the request's waits if the response is closed before it was written: the client has disconnected. */
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
