import express, { type Request, type Response, type Router } from 'express';
import type { Context } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import { parseInput } from '../domain/input/parse-input.ts';
import { requireRole } from '../domain/organization/membership.policy.ts';
import { authenticate, enterOrganization } from '../domain/session/access.ts';
import { readBody } from './body.ts';
import type { Route } from './route.ts';

/** Makes the context of one request; the composition root knows how. */
export type ContextFactory = (request: Request) => Context;

/**
 * Mounts routes. The order of checks is the same for each (decisions §3): method and size, JSON, authentication,
 * organization, input, object.
 */
export function mountRoutes(routes: Route[], createContext: ContextFactory): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const path of new Set(routes.map((each) => each.path))) {
    const methods = new Map(
      routes.filter((each) => each.path === path).map((each) => [each.method.toUpperCase(), each]),
    );
    const allow = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, response) => {
      const found = methods.get(request.method === 'HEAD' ? 'GET' : request.method);
      if (request.method === 'OPTIONS') {
        response.set('allow', allow).status(204).end();
        return;
      }
      if (!found) {
        response.set('allow', allow);
        throw new DomainError('METHOD_NOT_ALLOWED');
      }
      await call(found, request, response, createContext(request));
    });
  }
  return router;
}

async function call(found: Route, request: Request, response: Response, ctx: Context): Promise<void> {
  if (found.access !== 'none') {
    // what is under /auth has been set to no-store already, refusals included
    if (!response.get('cache-control')) response.set('cache-control', 'private, no-cache');
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
  const params = request.params as Record<string, string>;
  const answer = await found.handle({ ctx, params, body, request, response });
  response.json(answer);
}
