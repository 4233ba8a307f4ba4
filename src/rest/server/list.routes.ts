import type { Response } from 'express';
import { type ZodType, z } from 'zod';
import type { PublicContext } from '../../domain/public/public-scope.ts';
import type { ReadName } from '../../domain/reads.ts';
import type { Context, MemberContext, ViewerContext } from '../../engine/context.ts';
import type { Condition } from '../../engine/list/condition.ts';
import type { Count } from '../../engine/list/count.ts';
import type { ListInput } from '../../engine/list/list.ts';
import { type Page, pageTokens } from '../../engine/list/page.ts';
import { DomainError, type ErrorCode, fault } from '../../kernel/errors.ts';
import { pick } from '../../kernel/pick.ts';
import type { OrganizationRole } from '../../kernel/request.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { readBodyParameters } from './body-query.ts';
import { answerCount, countDocs } from './count.ts';
import { envelopeSchema, listParameterDocs, projectionSchemas, queryBodySchema } from './list.schema.ts';
import {
  listParameters,
  type Projected,
  type Projection,
  parseListQuery,
  parseProjection,
  type RawQuery,
  readUrlQuery,
} from './list-query.ts';
import { queryDocs, type Route, type RouteCall, route } from './route.ts';

/** The contexts of the operations that read, by access. */
interface ListContexts {
  user: ViewerContext;
  organization: MemberContext;
  public: PublicContext;
}

/** The parts of a call that are not in the list's input. */
export interface ListCall {
  params: Record<string, string>;
  include: readonly string[];
}

/** A list as REST serves it: of the viewer, of the organization, or of a row. */
export interface ListRoutes<A extends keyof ListContexts, Row> {
  path: string;
  /** The list's name in operation ids, for example `Members`; the envelope is then a `MemberList`. */
  name: string;
  read: ReadName;
  summary: string;
  tag: string;
  access: A;
  role?: OrganizationRole;
  /** The error codes besides those of every list. */
  errors?: ErrorCode[];
  projection: Projection;
  item: ZodType;
  list(ctx: ListContexts[A], input: ListInput, call: ListCall): Promise<Page<Row>>;
  count(ctx: ListContexts[A], where: Condition, max: number | undefined, params: ListCall['params']): Promise<Count>;
  /** The columns that the included relations need. */
  relationColumns?(include: readonly string[]): string[];
  /** Presents the rows, one item each; by default the selected fields. */
  present?(ctx: ListContexts[A], rows: Row[], fields: string[], include: string[]): Promise<object[]>;
  one?: ListedItem<A>;
}

/** The operation that gets one row of a list by its id, as the last part of its path. */
interface ListedItem<A extends keyof ListContexts> extends Pick<Route, 'operationId' | 'read' | 'summary' | 'headers'> {
  parameter: string;
  /** The row, presented. */
  get(ctx: ListContexts[A], id: string, selected: Projected, response: Response): Promise<unknown>;
}

/** The three operations that every list has: the list, the list by POST, and the count; and the one for a single row. */
export function listRoutes<A extends keyof ListContexts, Row extends object>(options: ListRoutes<A, Row>): Route[] {
  const { path, name, read, tag, access, role, projection, one, errors = [] } = options;
  const common = {
    tag,
    read,
    access,
    filters: projection.resource,
    ...(role ? { role } : {}),
    ...cachedIf(access),
  };
  const envelope = envelopeSchema(options.item, `${name.replace(/ies$/, 'y').replace(/s$/, '')}List`);

  // the router has checked what `access` requires
  const scoped = (ctx: Context) => ctx as ListContexts[A];
  const list = async ({ ctx, params }: RouteCall<Context, unknown>, raw: RawQuery): Promise<ListEnvelope> => {
    const viewed = scoped(ctx);
    const { input, fields, include } = parseListQuery(projection, raw);
    const columns = [...fields, ...(options.relationColumns?.(include) ?? [])];
    const page = await options.list(viewed, { ...input, columns }, { params, include });
    const items = options.present
      ? await options.present(viewed, page.items, fields, include)
      : presentRows(page.items, fields);
    return presentPage(page, items);
  };
  return [
    route({
      ...common,
      method: 'get',
      path,
      operationId: `list${name}`,
      summary: options.summary,
      lists: projection,
      parameters: listParameterDocs(projection),
      response: envelope,
      errors: ['INVALID_QUERY', 'INVALID_CURSOR', ...errors],
      handle: (call) => list(call, readUrlQuery(call.query)),
    }),
    route({
      ...common,
      method: 'post',
      path: `${path}/query`,
      safe: true,
      operationId: `query${name}`,
      summary: 'The same list, with the parameters in the body: for filters that are too long for a URL.',
      body: queryBodySchema,
      response: envelope,
      errors: ['INVALID_QUERY', 'INVALID_CURSOR', ...errors],
      handle: (call) => list(call, readBodyParameters(call.body, listParameters, projection.resource)),
    }),
    route({
      ...common,
      method: 'get',
      path: `${path}/count`,
      operationId: `count${name}`,
      summary: 'Counts the items of the list.',
      ...countDocs(projection.resource),
      response: z.int().min(0),
      errors: ['INVALID_QUERY', ...errors],
      handle: (call) =>
        answerCount(call, projection.resource, (where, max) =>
          options.count(scoped(call.ctx), where, max, call.params),
        ),
    }),
    ...(one ? [listedItem(options, one)] : []),
  ];
}

function listedItem<A extends keyof ListContexts, Row>(
  { path, tag, access, role, projection, item }: ListRoutes<A, Row>,
  { parameter, get, ...described }: ListedItem<A>,
): Route {
  return itemRoute<A>({
    ...{ ...described, path: `${path}/{${parameter}}`, tag, access, role, projection, response: item },
    get: ({ ctx, params, response }, selected) => get(ctx, params[parameter] ?? '', selected, response),
  });
}

/** Shared caches may store what is public. */
const cachedIf = (access: keyof ListContexts) => (access === 'public' ? { cached: true as const } : {});

interface ItemRoute<A extends keyof ListContexts>
  extends Pick<Route, 'path' | 'operationId' | 'read' | 'summary' | 'tag' | 'role' | 'headers' | 'response'> {
  access: A;
  projection: Projection;
  /** The row, presented. */
  get(call: RouteCall<ListContexts[A], undefined>, selected: Projected): Promise<unknown>;
}

/** The operation that gets one row, with the parts that the client selects. */
export function itemRoute<A extends keyof ListContexts>({ projection, get, ...described }: ItemRoute<A>): Route {
  return {
    ...described,
    ...cachedIf(described.access),
    method: 'get',
    parameters: queryDocs(projectionSchemas(projection)),
    errors: ['INVALID_QUERY', 'NOT_FOUND'],
    // the router has checked what `access` requires
    handle: (call) => get(call as RouteCall<ListContexts[A], undefined>, parseProjection(projection, call.query)),
  };
}

/** @throws DomainError INVALID_CURSOR for a cursor of a list whose parent has no valid id */
export function refuseCursorWithout(parent: string | undefined, { paging }: ListInput): void {
  if (paging.by === 'token' && paging.token !== null && !parseUuid(parent)) {
    throw fault('INVALID_CURSOR', '/token', 'The cursor does not belong to this list.');
  }
}

/** The value of a loader. @throws DomainError NOT_FOUND if the viewer may not see the row */
export function requireFound<Value>(value: Value | null): Value {
  if (value === null) throw new DomainError('NOT_FOUND');
  return value;
}

/** Rows with the fields alone. */
export function presentRows(rows: readonly object[], fields: readonly string[]): object[] {
  return rows.map((row) => pick(row, fields));
}

/** The envelope of all list endpoints (interface/lists.md#envelope). */
interface ListEnvelope {
  items: object[];
  length: number;
  has_more: boolean;
  next: string | null;
  prev: string | null;
}

function presentPage<Row>(page: Page<Row>, items: object[]): ListEnvelope {
  return { items, length: items.length, has_more: page.hasNext, ...pageTokens(page) };
}
