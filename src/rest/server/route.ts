import type { Request, Response } from 'express';
import { type ZodType, z } from 'zod';
import type { PublicContext } from '../../domain/public/public-scope.ts';
import { endingReads, type ReadName } from '../../domain/reads.ts';
import type { AnyCommand } from '../../engine/command.ts';
import type { Context, MemberContext, ViewerContext } from '../../engine/context.ts';
import type { ListResource } from '../../engine/list/resource.ts';
import type { Deprecation } from '../../kernel/deprecation.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import type { KeyPermission, OrganizationRole } from '../../kernel/request.ts';
import type { Projection } from './list-query.ts';
import type { RawParameters } from './url-query.ts';

export interface RouteContexts {
  none: Context;
  /** For the public data of the organization in `x-organization-id`. */
  public: PublicContext;
  /** For the public data of the organization with the slug in the path. */
  slug: PublicContext;
  user: ViewerContext;
  /** Members of the organization in `x-organization-id`. */
  organization: MemberContext;
}

export type RouteAccess = keyof RouteContexts;

export interface ParameterDoc {
  name: string;
  in: 'query' | 'header';
  description: string;
  schema: Record<string, unknown>;
  required?: boolean;
}

export type QuerySchemas = Record<string, { required?: true; description: string; [keyword: string]: unknown }>;

export function queryDocs(schemas: QuerySchemas): ParameterDoc[] {
  return Object.entries(schemas).map(([name, { required, description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required && { required }),
    description,
    schema,
  }));
}

export interface HeaderDoc {
  description: string;
  schema: Record<string, unknown>;
}

/** By operation id, such as `Mutation.createEvent`. */
export type GraphqlTwins = Readonly<Record<string, readonly string[]>>;

/** Method, size, JSON, authentication, organization and body have been checked, in that order. */
export interface RouteCall<C extends Context, Body> {
  ctx: C;
  params: Record<string, string>;
  /** With their issues, which an operation with query parameters throws together with those of the values. */
  query: RawParameters<string>;
  body: Body;
  request: Request;
  response: Response;
}

export interface Route {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** In OpenAPI's form, with `{name}` for a path parameter. */
  path: string;
  operationId: string;
  summary: string;
  tag: string;
  access: RouteAccess;
  /** Checked before the input. */
  role?: OrganizationRole;
  /** The permission with which keys may use it, whatever their role. */
  keys?: KeyPermission;
  /** Set if the command checks role and body itself; `handle` then gets the unchecked body. */
  checked?: 'by its command';
  parameters?: ParameterDoc[];
  /** `object` is the path parameter with the object's id. */
  runs?: { command: AnyCommand; object: string | undefined };
  /** The name of the read, if GraphQL has it too. */
  read?: ReadName;
  /** For an operation that is neither a command nor a read that GraphQL shares. */
  deprecated?: Deprecation;
  /** Query parameters without an effect. */
  ignored?: readonly string[];
  /** What the parameter `where` filters. */
  filters?: ListResource;
  lists?: Projection;
  /** Runs before the body is checked. */
  before?(call: { ctx: Context; request: Request }): Promise<void>;
  body?: ZodType;
  /** Allows a body of up to 1 MiB, for a form or its answers. */
  largeBody?: true;
  response: ZodType;
  /** Shared caches may store the response, unless `fields` names one of these; only for public data. */
  cached?: { unlessFields: readonly string[] };
  /** By media type, if the response is a file; `handle` then writes it. */
  content?: Record<string, unknown>;
  /** Whether the cookie of the session signs in; `handle` reads it. */
  cookie?: 'required' | 'optional';
  /** Accepts requests with an API key although it is below `/auth`. */
  ignoresKeys?: true;
  /** Other media types on request, sent by `handle`; separate, so that generated clients can read the JSON. */
  further?: Record<string, unknown>;
  /** Only reads, despite its method; takes no `Idempotency-Key`. */
  safe?: true;
  /** Milliseconds for authentication, if the client says how long it waits. */
  entersWithin?(url: string, body: unknown): number | null;
  /** Success is 201, with the `Location` of the created resource. */
  created?: boolean;
  headers?: Record<string, HeaderDoc>;
  /** In addition to those that access, body and method imply. */
  errors: ErrorCode[];
  handle(call: RouteCall<Context, unknown>): Promise<unknown>;
}

/** The announced end of an operation, that of its command or its read (note 0069). */
export function endingOf({ runs, read, deprecated }: Pick<Route, 'runs' | 'read' | 'deprecated'>) {
  return runs?.command.deprecated ?? (read && endingReads[read]) ?? deprecated;
}

/** Concerns a person's account, which an API key does not have. */
export function isOfAccount({ path, ignoresKeys }: Pick<Route, 'path' | 'ignoresKeys'>): boolean {
  return path.startsWith('/auth/') && !ignoresKeys;
}

/** Such as `PATCH /events/{event}`. */
export type Endpoint = `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;

export function partsOf(endpoint: Endpoint): Pick<Route, 'method' | 'path'> {
  const [method, path] = endpoint.split(' ') as [string, string];
  return { method: method.toLowerCase() as Route['method'], path };
}

export type Untagged = Omit<Route, 'tag'>;

export function tagged(tag: string, routes: readonly Untagged[]): Route[] {
  return routes.map((each) => ({ ...each, tag }));
}

interface RouteInput<A extends RouteAccess, B extends ZodType | undefined>
  extends Omit<Untagged, 'method' | 'path' | 'operationId' | 'handle' | 'access' | 'body' | 'response'> {
  access: A;
  body?: B;
  /** Without it, the response is `true`. */
  response?: ZodType;
  handle(call: RouteCall<RouteContexts[A], B extends ZodType<infer Output> ? Output : undefined>): Promise<unknown>;
}

export const done = z.literal(true);

/** `access` and `body` determine the types of `handle`'s argument; its result is the JSON of a 200. */
export function route<A extends RouteAccess, B extends ZodType | undefined = undefined>(
  endpoint: Endpoint,
  operationId: string,
  input: RouteInput<A, B>,
): Untagged {
  const untyped = input as unknown as Route;
  const answersDone = async (call: RouteCall<Context, unknown>) => {
    await untyped.handle(call);
    return true;
  };
  return {
    ...untyped,
    ...partsOf(endpoint),
    operationId,
    response: input.response ?? done,
    handle: input.response ? untyped.handle : answersDone,
  };
}

/** Without a sign-in; `run` gets the checked body. */
export function openRoute<Body>(
  endpoint: Endpoint,
  operationId: string,
  run: (ctx: Context, body: Body) => Promise<unknown>,
  input: Omit<RouteInput<'none', ZodType<Body>>, 'access' | 'handle'>,
): Untagged {
  return route(endpoint, operationId, { ...input, access: 'none', handle: ({ ctx, body }) => run(ctx, body as Body) });
}
