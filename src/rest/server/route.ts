import type { Request, Response } from 'express';
import type { ZodType } from 'zod';
import type { PublicContext } from '../../domain/public/public-scope.ts';
import type { AnyCommand } from '../../engine/command.ts';
import type { Context, MemberContext } from '../../engine/context.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import type { OrganizationRole } from '../../kernel/roles.ts';
import type { Projection } from './list-query.ts';

/**
 * Who may call: anyone; anyone, for what is public of the organization named by `x-organization-id`; signed-in users; or
 * members of that organization.
 */
export type RouteAccess = 'none' | 'public' | 'user' | 'organization';

/** A query parameter or header as OpenAPI describes it. */
export interface ParameterDoc {
  name: string;
  in: 'query' | 'header' | 'cookie';
  description: string;
  schema: Record<string, unknown>;
  required?: boolean;
}

/** A response header as OpenAPI describes it. */
export interface HeaderDoc {
  description: string;
  schema: Record<string, unknown>;
}

/** A body and what answers it; a test sends them all. */
export interface Example {
  request?: unknown;
  response: unknown;
}

/** One call of a route, after method, size, JSON, authentication, organization and body were checked, in that order. */
export interface Call<C extends Context, Body> {
  ctx: C;
  params: Record<string, string>;
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
  /** The minimum role of the viewer in the organization; checked with it, before the input. */
  role?: OrganizationRole;
  /** Set if the command that `handle` runs checks role and body; it gets the unparsed body. */
  checked?: 'by its command';
  parameters?: ParameterDoc[];
  /** The command that it runs, and the path parameter with the object's id. */
  runs?: { command: AnyCommand; object?: string | undefined };
  /** The list that it serves: its noun, and what `include` takes. */
  lists?: Projection;
  /** Checks that come before that of the body. */
  before?(call: { ctx: Context; request: Request }): Promise<void>;
  body?: ZodType;
  /** Whether the body may have 1 MiB: it has a form, or answers to one. */
  largeBody?: true;
  response: ZodType;
  example?: Example;
  /** Whether anybody may cache the response; only for what is public. */
  cached?: true;
  /** What it answers instead of JSON, by media type as OpenAPI describes it; `handle` then sends the answer itself. */
  content?: Record<string, unknown>;
  /** Whether it changes nothing, whatever its method: a retry needs no `Idempotency-Key`. */
  safe?: true;
  /** Whether success is 201, with the `Location` of the created resource. */
  created?: boolean;
  /** Additional headers of the response. */
  headers?: Record<string, HeaderDoc>;
  /** The error codes beyond those that access, body and method imply. */
  errors: ErrorCode[];
  handle(call: Call<Context, unknown>): Promise<unknown>;
}

interface RouteInput<A extends RouteAccess, B extends ZodType | undefined>
  extends Omit<Route, 'handle' | 'access' | 'body'> {
  access: A;
  body?: B;
  handle(
    call: Call<
      A extends 'organization'
        ? MemberContext
        : A extends 'public'
          ? PublicContext
          : A extends 'user'
            ? Context & { viewer: NonNullable<Context['viewer']> }
            : Context,
      B extends ZodType<infer Output> ? Output : undefined
    >,
  ): Promise<unknown>;
}

/** Declares a route; `access` and `body` determine the types of `handle`'s argument. Its result is the JSON of a 200. */
export function route<A extends RouteAccess, B extends ZodType | undefined = undefined>(
  input: RouteInput<A, B>,
): Route {
  return input as unknown as Route;
}
