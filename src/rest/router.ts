import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import { parseInput } from '../domain/input/parse-input.ts';
import { requireRole } from '../domain/organization/membership.policy.ts';
import { authenticate, enterOrganization } from '../domain/session/access.ts';
import { readBody } from './body.ts';
import { sendJson } from './json.ts';
import { type PathMatch, PathTable } from './path-table.ts';
import type { Route } from './route.ts';

/** Makes the context of one request; the composition root knows how. */
export type ContextFactory = (request: Request) => Context;

/** The operations of one path. */
interface Operations {
  methods: Map<string, Route>;
  /** The value of `Allow`. */
  allow: string;
}

/**
 * Serves routes. The order of checks is the same for each (decisions §3): method and size, JSON, authentication,
 * organization, input, object.
 */
export function mountRoutes(routes: Route[], createContext: ContextFactory): RequestHandler {
  const table = new PathTable<Operations>();
  for (const path of new Set(routes.map((each) => each.path))) {
    const methods = new Map(
      routes.filter((each) => each.path === path).map((each) => [each.method.toUpperCase(), each]),
    );
    const allow = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    table.add(path, { methods, allow });
  }
  return (request, response, next) => {
    const match = table.find(request.path);
    if (!match) {
      next();
      return;
    }
    serve(match, request, response, createContext).catch(next);
  };
}

async function serve(
  { value: { methods, allow }, params }: PathMatch<Operations>,
  request: Request,
  response: Response,
  createContext: ContextFactory,
): Promise<void> {
  if (request.method === 'OPTIONS') {
    response.set('allow', allow).status(204).end();
    return;
  }
  const found = methods.get(request.method === 'HEAD' ? 'GET' : request.method);
  if (!found) {
    response.set('allow', allow);
    throw new DomainError('METHOD_NOT_ALLOWED');
  }
  const ctx = createContext(request);
  if (found.access !== 'none') {
    // what is under /auth has been set to no-store already, refusals included
    if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'private, no-cache');
    response.vary('authorization, x-organization-id');
  }
  const raw = found.method === 'get' ? undefined : await readBody(request, response);
  // for the operations that look at the body later than the others
  request.body = raw;
  if (found.access !== 'none') await authenticate(ctx, request.headersDistinct.authorization);
  if (found.access === 'organization') await enterOrganization(ctx, request.headersDistinct['x-organization-id']);
  if (found.role) requireRole(ctx, found.role);
  await found.before?.({ ctx, request });
  const body = found.body ? parseInput(found.body, raw) : undefined;
  sendJson(response, await found.handle({ ctx, params, body, request, response }));
}
