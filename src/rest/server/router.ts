import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express';
import { endText } from '#bounded-http';
import { isRecord } from '#input-values';
import { enterPublicScope, enterPublicScopeOf } from '../../domain/public/public-scope.ts';
import { authenticate, enterOrganization, refuseKey } from '../../domain/session/access.ts';
import { writesOf } from '../../engine/command.ts';
import type { Context } from '../../engine/context.ts';
import { exchangeOf, receivedBody } from '../../http/exchange.ts';
import { onlyValue, parseJsonBody } from '../../http/incoming.ts';
import { allowCaching, sendNotModified, sharedResponse } from '../../http/shared-response.ts';
import type { Deprecation } from '../../kernel/deprecation.ts';
import { DomainError, faults } from '../../kernel/errors.ts';
import { parseInput } from '../../kernel/input/parse-input.ts';
import { requireRole } from '../../kernel/request.ts';
import { sendOnce, takesKey } from './idempotency.ts';
import { endingOf, isOfAccount, type Route } from './route.ts';
import { type KnownParameters, scanUrl } from './url-query.ts';

export type ContextFactory = (request: Request) => Context;

interface Operation extends Route {
  known: KnownParameters;
  keyed: boolean;
  ofAccount: boolean;
  /** Announce its end; null if it stays. */
  endHeaders: Record<string, string> | null;
}

/** Checks, in the order of note 0023: method and size, JSON, authentication, organization, role, input, object. */
export function mountRoutes(routes: Route[], createContext: ContextFactory, fail: ErrorRequestHandler): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  // `{` sorts after letters, so that a parameter matches only what no other path does
  for (const [path, operations] of [...Map.groupBy(routes, (each) => each.path)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const endpoint = router.route(path.replace(/\{(\w+)\}/g, ':$1'));
    for (const operation of operations.map(operationOf)) {
      endpoint[operation.method]((request, response, next) =>
        // at once: Express would pass it to all later routes first
        serve(operation, request, response, createContext).catch((error) => fail(error, request, response, next)),
      );
    }
    const methods = operations.map(({ method }) => method.toUpperCase());
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    endpoint.all((request, response) => answerOptions(allow, request, response));
  }
  return router;
}

/** @throws DomainError METHOD_NOT_ALLOWED unless the method is OPTIONS */
function answerOptions(allow: string, request: Request, response: Response): void {
  response.set('allow', allow);
  if (request.method !== 'OPTIONS') throw new DomainError('METHOD_NOT_ALLOWED');
  exchangeOf(request).usage.face = 'rest';
  receivedBody(request);
  response.status(204).end();
}

function operationOf(route: Route): Operation {
  const ending = endingOf(route);
  const endHeaders = ending ? deprecationHeaders(ending) : null;
  const declared = (route.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name);
  const known = { names: [...new Set([...declared, ...(route.ignored ?? [])])], filters: route.filters };
  return { ...route, known, keyed: takesKey(route), ofAccount: isOfAccount(route), endHeaders };
}

/** RFC 9745, RFC 8594. */
function deprecationHeaders({ since, sunset }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(`${sunset}T23:59:59Z`).toUTCString(),
  };
}

async function serve(
  operation: Operation,
  request: Request,
  response: Response,
  createContext: ContextFactory,
): Promise<void> {
  const { usage } = exchangeOf(request);
  usage.face = 'rest';
  usage.operation = operation.operationId;
  const bytes = receivedBody(request);
  if (operation.endHeaders) response.set(operation.endHeaders);
  if (operation.runs?.command.secret) response.setHeader('cache-control', 'no-store');
  const ctx = createContext(request);
  if (operation.access !== 'none') {
    // responses under /auth already have no-store, errors included
    if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'private, no-cache');
    if (operation.access === 'public') response.appendHeader('vary', 'x-organization-id');
    else if (operation.access !== 'slug') response.appendHeader('vary', 'authorization, x-organization-id');
  }
  // an absent body counts as `{}`
  const raw = operation.method === 'get' ? undefined : bytes.length === 0 ? {} : parseJsonBody(request, bytes);
  // for operations that check the body themselves
  request.body = raw;
  await inTime(enter(operation, ctx, request), operation.entersWithin?.(request.url, raw) ?? null);
  const query = scanUrl(request.url, operation.known);
  // others report them together with issues of the values
  if (operation.known.names.length === 0 && query.issues.length > 0) throw faults('INVALID_QUERY', query.issues);
  // unknown parameters come before an unknown slug
  if (operation.access === 'slug') await enterPublicScopeOf(ctx, String(request.params.slug));
  // the entity tag also depends on the body, which may contain the parameters
  const shared =
    ctx.publicScope && isCached(operation, query.values.fields ?? (isRecord(raw) ? raw.fields : undefined))
      ? sharedResponse(request, ctx.publicScope, bytes.toString('latin1'))
      : null;
  if (shared && sendNotModified(response, shared)) return;
  const handle = async (inner: Context) => {
    const body = operation.checked ? raw : await check(operation, inner, request, raw);
    return await operation.handle({
      ctx: inner,
      params: request.params as Record<string, string>,
      query,
      body,
      request,
      response,
    });
  };
  const given = operation.keyed ? request.headersDistinct['idempotency-key'] : undefined;
  if (operation.content) {
    await handle(ctx);
    if (!response.writableEnded) response.end();
  } else if (given === undefined) {
    const answer = await handle(ctx);
    if (operation.further && response.headersSent) return;
    if (shared && sendNotModified(response, shared, shared.any)) return;
    if (shared) allowCaching(response, shared);
    sendJson(response, answer);
  } else {
    const { checked, runs } = operation;
    const secret = runs?.command.secret === true;
    const needs = runs?.command ?? {};
    const writes = checked === undefined ? 0 : writesOf(runs?.command ?? {}, raw);
    await sendOnce({ ctx, given, needs, writes, secret, bytes, request, response, handle });
  }
}

function isCached({ cached }: Operation, fields: unknown): boolean {
  if (!cached) return false;
  const named = typeof fields === 'string' ? fields.split(' ') : [];
  return !cached.unlessFields.some((name) => named.includes(name));
}

/** @throws DomainError SERVICE_UNAVAILABLE if it takes longer */
async function inTime(entering: Promise<void>, milliseconds: number | null): Promise<void> {
  if (milliseconds === null) return await entering;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 1 })), milliseconds);
  await Promise.race([entering, late.promise]).finally(() => clearTimeout(timer));
}

async function enter(operation: Operation, ctx: Context, { headersDistinct }: Request): Promise<void> {
  const { access, ofAccount } = operation;
  const named = headersDistinct['x-organization-id'];
  if (access === 'public') await enterPublicScope(ctx, onlyValue(named));
  if (access === 'user' || access === 'organization') await authenticate(ctx, onlyValue(headersDistinct.authorization));
  if (ofAccount) await refuseKey(ctx, onlyValue(headersDistinct.authorization));
  if (access === 'organization') await enterOrganization(ctx, named && onlyValue(named));
}

async function check(route: Route, ctx: Context, request: Request, raw: unknown): Promise<unknown> {
  if (route.role) requireRole(ctx, route.role, route.keys);
  await route.before?.({ ctx, request });
  return route.body ? parseInput(route.body, raw) : undefined;
}

function sendJson(response: Response, value: unknown): void {
  const body = JSON.stringify(value);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  endText(response, body);
}
