import type { Request, Response } from 'express';
import { type ZodType, z } from 'zod';
import type { PublicContext } from '../../domain/public/public-scope.ts';
import { endingReads, type ReadName } from '../../domain/reads.ts';
import type { AnyCommand } from '../../engine/command.ts';
import type { Context, MemberContext, ViewerContext } from '../../engine/context.ts';
import type { ListResource } from '../../engine/list/resource.ts';
import type { Deprecation } from '../../kernel/deprecation.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import type { OrganizationRole } from '../../kernel/request.ts';
import type { Projection } from './list-query.ts';
import type { RawParameters } from './url-query.ts';

/** What an operation runs with, by who may call it. */
export interface RouteContexts {
  /** Anyone. */
  none: Context;
  /** Anyone, for the public data of the organization in `x-organization-id`. */
  public: PublicContext;
  /** Signed-in users. */
  user: ViewerContext;
  /** Members of the organization in `x-organization-id`. */
  organization: MemberContext;
}

export type RouteAccess = keyof RouteContexts;

/** A query parameter or header as OpenAPI describes it. */
export interface ParameterDoc {
  name: string;
  in: 'query' | 'header';
  description: string;
  schema: Record<string, unknown>;
  required?: boolean;
}

/** Query parameters by name, each as its schema. */
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

/** A response header as OpenAPI describes it. */
export interface HeaderDoc {
  description: string;
  schema: Record<string, unknown>;
}

/** The GraphQL fields that do the same as an operation, such as `Mutation.createEvent`, by operation id. */
export type GraphqlTwins = Readonly<Record<string, readonly string[]>>;

/** One call of a route, once method, size, JSON, authentication, organization and body are checked, in that order. */
export interface RouteCall<C extends Context, Body> {
  ctx: C;
  params: Record<string, string>;
  /**
   * The query parameters, and what is wrong with them: an operation that declares some throws the issues, with those of their
   * values.
   */
  query: RawParameters<string>;
  body: Body;
  request: Request;
  response: Response;
}

/** One operation: its parameters, response, errors and handler. */
export interface Route {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** In OpenAPI's form, with `{name}` for a path parameter. */
  path: string;
  operationId: string;
  summary: string;
  tag: string;
  access: RouteAccess;
  /** The minimum role of the viewer in the organization; checked before the input. */
  role?: OrganizationRole;
  /** Set if the command that `handle` runs checks role and body itself; `handle` then gets the unchecked body. */
  checked?: 'by its command';
  parameters?: ParameterDoc[];
  /** The command that the route runs, and the path parameter with the object's id. */
  runs?: { command: AnyCommand; object: string | undefined };
  /** What it reads, if GraphQL reads that, too. */
  read?: ReadName;
  /** If it is going to end although it is neither a command nor a read that GraphQL has, too. */
  deprecated?: Deprecation;
  /** Query parameters that are accepted without an effect. */
  ignored?: readonly string[];
  /** What the parameter `where` filters. */
  filters?: ListResource;
  /** The list that the route serves: its noun, and the names that `include` accepts. */
  lists?: Projection;
  /** Checks that run before the body is checked. */
  before?(call: { ctx: Context; request: Request }): Promise<void>;
  body?: ZodType;
  /** Whether the body may have up to 1 MiB, because it contains a form or answers to one. */
  largeBody?: true;
  response: ZodType;
  /** Whether shared caches may store the response; only for public data. */
  cached?: true;
  /** The response if it is not JSON, by media type as in OpenAPI; `handle` then sends the response itself. */
  content?: Record<string, unknown>;
  /** Whether the cookie of the session signs in; `handle` reads it. */
  cookie?: 'required' | 'optional';
  /** Whether it answers a request with an API key although it is below `/auth`. */
  ignoresKeys?: true;
  /**
   * Responses of other media types, which a request has to ask for; `handle` sends those itself. OpenAPI has them apart, so that a
   * generated client can read the JSON.
   */
  further?: Record<string, unknown>;
  /** Whether it only reads, despite its method: it takes no `Idempotency-Key`. */
  safe?: true;
  /** Milliseconds within which the caller has to be known, if the client says how long it waits for the response. */
  entersWithin?(url: string, body: unknown): number | null;
  /** Whether success is 201, with the `Location` of the created resource. */
  created?: boolean;
  /** Additional headers of the response. */
  headers?: Record<string, HeaderDoc>;
  /** The error codes in addition to those that access, body and method imply. */
  errors: ErrorCode[];
  handle(call: RouteCall<Context, unknown>): Promise<unknown>;
}

/** That an operation is going to end, if it is: as its command or what it reads (note 0069). */
export function endingOf({ runs, read, deprecated }: Pick<Route, 'runs' | 'read' | 'deprecated'>) {
  return runs?.command.deprecated ?? (read && endingReads[read]) ?? deprecated;
}

/** Whether an operation concerns the account of a person, which an API key has not. */
export function isOfAccount({ path, ignoresKeys }: Pick<Route, 'path' | 'ignoresKeys'>): boolean {
  return path.startsWith('/auth/') && !ignoresKeys;
}

/** An operation, as `PATCH /events/{event}`. */
export type Endpoint = `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;

export function partsOf(endpoint: Endpoint): Pick<Route, 'method' | 'path'> {
  const [method, path] = endpoint.split(' ') as [string, string];
  return { method: method.toLowerCase() as Route['method'], path };
}

/** A route without the tag that it shares with others. */
export type Untagged = Omit<Route, 'tag'>;

export function tagged(tag: string, routes: readonly Untagged[]): Route[] {
  return routes.map((each) => ({ ...each, tag }));
}

interface RouteInput<A extends RouteAccess, B extends ZodType | undefined>
  extends Omit<Untagged, 'method' | 'path' | 'handle' | 'access' | 'body' | 'response'> {
  access: A;
  body?: B;
  /** Absent if there is nothing to say: the answer is then `true`. */
  response?: ZodType;
  handle(call: RouteCall<RouteContexts[A], B extends ZodType<infer Output> ? Output : undefined>): Promise<unknown>;
}

/** The answer of an operation that only says that it is done. */
export const done = z.literal(true);

/** Declares a route; `access` and `body` determine the types of `handle`'s argument. Its result is the JSON of a 200. */
export function route<A extends RouteAccess, B extends ZodType | undefined = undefined>(
  endpoint: Endpoint,
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
    response: input.response ?? done,
    handle: input.response ? untyped.handle : answersDone,
  };
}
