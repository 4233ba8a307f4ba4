import { randomUUID } from 'node:crypto';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Request } from 'express';
import type { Client, Context, Log } from './domain/context.ts';
import { Loaders } from './domain/loaders.ts';
import type { Services } from './domain/services.ts';

/** Makes the context of a request: its own loaders, one `now`; what few requests need is made when it is asked for. */
export function requestContext(
  { orm, services, log }: { orm: MikroORM; services: Services; log: Log },
  request: Request,
): Context {
  let em: EntityManager | undefined;
  let client: Client | undefined;
  // accessors of its own, not of a class: use cases copy the context into their transactions
  const ctx: Context = {
    get em() {
      em ??= orm.em.fork();
      return em;
    },
    reader: orm.em,
    services,
    loaders: undefined as unknown as Loaders,
    viewer: null,
    membership: null,
    get client() {
      client ??= clientOf(request);
      return client;
    },
    now: new Date(),
    log,
  };
  ctx.loaders = new Loaders(ctx);
  return ctx;
}

function clientOf(request: Request): Client {
  return {
    ip: request.ip ?? null,
    userAgent: request.get('user-agent')?.slice(0, 400) ?? null,
    requestId: request.res?.get('x-request-id') ?? randomUUID(),
  };
}
