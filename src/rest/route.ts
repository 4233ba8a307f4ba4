import type { Request, Response } from 'express';
import type { ZodType } from 'zod';
import type { Context, MemberContext } from '../domain/context.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { OrganizationRole } from '../domain/organization/membership.entity.ts';

/** Who may call: anyone, whoever is signed in, or a member of the organization named by `x-organization-id`. */
export type RouteAccess = 'none' | 'user' | 'organization';

/** A query parameter or header as OpenAPI describes it. */
export interface ParameterDoc {
  name: string;
  in: 'query' | 'header' | 'cookie';
  description: string;
  schema: Record<string, unknown>;
  required?: boolean;
}

/** A header of an answer as OpenAPI describes it. */
export interface HeaderDoc {
  description: string;
  schema: Record<string, unknown>;
}

/** One call of a route, after method, size, JSON, authentication, organization and body were checked, in that order. */
export interface Call<C extends Context, Body> {
  ctx: C;
  params: Record<string, string>;
  body: Body;
  request: Request;
  response: Response;
}

/** One operation: what it is called with, what it answers, what can go wrong, and what does it. */
export interface Route {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** In the form of OpenAPI, with `{name}` for a parameter of the path. */
  path: string;
  operationId: string;
  summary: string;
  tag: string;
  access: RouteAccess;
  /** What the viewer must be in the organization at the least; checked with it, before the input. */
  role?: OrganizationRole;
  parameters?: ParameterDoc[];
  /** Checks that come before that of the body. */
  before?(call: { ctx: Context; request: Request }): Promise<void>;
  body?: ZodType;
  response: ZodType;
  /** What the 200 has beyond the headers of every answer. */
  headers?: Record<string, HeaderDoc>;
  /** The codes beyond those that access, body and method imply. */
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
        : A extends 'user'
          ? Context & { viewer: NonNullable<Context['viewer']> }
          : Context,
      B extends ZodType<infer Output> ? Output : undefined
    >,
  ): Promise<unknown>;
}

/** Declares a route; `access` and `body` give the types of what `handle` receives. Its result is the JSON of a 200. */
export function route<A extends RouteAccess, B extends ZodType | undefined = undefined>(
  input: RouteInput<A, B>,
): Route {
  return input as unknown as Route;
}
