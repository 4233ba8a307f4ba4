import { z } from 'zod';
import type { ReadName } from '../../domain/reads.ts';
import type { Context, Loader } from '../../engine/context.ts';
import type { Condition } from '../../engine/list/condition.ts';
import type { Count } from '../../engine/list/count.ts';
import type { ListInput } from '../../engine/list/list.ts';
import { type Page, pageTokens } from '../../engine/list/page.ts';
import { PrimedLoader } from '../../engine/primed-loader.ts';
import { DomainError, type ErrorCode } from '../../kernel/errors.ts';
import { pick } from '../../kernel/objects.ts';
import type { KeyPermission, OrganizationRole } from '../../kernel/request.ts';
import { readBodyParameters } from './body-query.ts';
import { versionTag, versionTagDoc } from './command-route.ts';
import { answerCount, countDocs } from './count.ts';
import { envelopeSchema, listParameterDocs, projectionSchemas, queryBodySchema, type View } from './list.schema.ts';
import {
  listParameters,
  type Projected,
  parseListQuery,
  parseProjection,
  type RawQuery,
  readUrlQuery,
} from './list-query.ts';
import {
  partsOf,
  queryDocs,
  type RouteAccess,
  type RouteCall,
  type RouteContexts,
  route,
  type Untagged,
} from './route.ts';

type Readers = Exclude<RouteAccess, 'none'>;

export interface ListCall {
  params: Record<string, string>;
  include: readonly string[];
}

type Loaders<C> = Readonly<Record<string, (ctx: C) => Loader<unknown>>>;

interface ItemOptions<A extends Readers, Row> {
  access: A;
  view: View;
  summary: string;
  role?: OrganizationRole;
  keys?: KeyPermission;
  get(ctx: RouteContexts[A], id: string, columns: string[], params: ListCall['params']): Promise<Row>;
  /** By the name of a computed field: loads its values, by the ids of the rows, in one statement for a page. */
  loaders?: Loaders<RouteContexts[A]>;
  /** By what `include` can add: loads rows, by the ids in the column `<name>_id`. */
  relations?: Loaders<RouteContexts[A]>;
  /** Whether the version of the row is the entity tag. */
  versionTag?: true;
}

export interface ListOptions<A extends Readers, Row>
  extends Omit<ItemOptions<A, Row>, 'get' | 'versionTag'>,
    Partial<Pick<ItemOptions<A, Row>, 'get'>> {
  /** By default the name in lower case. */
  read?: ReadName;
  /** Computed fields that change while the entity tag of public data stays the same. */
  uncached?: readonly string[];
  /** In addition to those of every list. */
  errors?: ErrorCode[];
  list(ctx: RouteContexts[A], input: ListInput, call: ListCall): Promise<Page<Row>>;
  count(ctx: RouteContexts[A], where: Condition, max: number | undefined, params: ListCall['params']): Promise<Count>;
  /** Gets one row, whose id ends its path. */
  one?: { parameter: string; summary: string; versionTag?: true };
}

/** `apiKeys` for `ApiKeys`. */
const readOf = (name: string) => (name.charAt(0).toLowerCase() + name.slice(1)) as ReadName;

/** @param name of the operation ids, for example `Members`, whose envelope is a `MemberList` */
export function listRoutes<A extends Readers, Row extends object>(
  path: string,
  name: string,
  options: ListOptions<A, Row>,
): Untagged[] {
  const { access, role, keys, view, summary, one, get, read = readOf(name), errors = [] } = options;
  const common = { read, access, filters: view.resource, ...allowed(role, keys), ...cachedIf(options) };
  const itemName = name.replace(/ies$/, 'y').replace(/s$/, '');
  const envelope = envelopeSchema(view.schema, `${itemName}List`);

  // the router has checked what `access` requires
  const scoped = (ctx: Context) => ctx as RouteContexts[A];
  const list = async ({ ctx, params }: RouteCall<Context, unknown>, raw: RawQuery): Promise<ListEnvelope> => {
    const viewed = scoped(ctx);
    const { input, fields, include } = parseListQuery(view, raw);
    const columns = rowColumns({ fields, include }, options);
    const page = await options.list(viewed, { ...input, columns }, { params, include });
    return presentPage(page, await presentRows(viewed, page.items, { fields, include }, options));
  };
  return [
    route(`GET /${path}`, `list${name}`, {
      ...common,
      summary,
      lists: view,
      parameters: listParameterDocs(view),
      response: envelope,
      errors: ['INVALID_QUERY', 'INVALID_CURSOR', ...errors],
      handle: (call) => list(call, readUrlQuery(call.query)),
    }),
    route(`POST /${path}/query`, `query${name}`, {
      ...common,
      safe: true,
      summary: 'The same list, with the parameters in the body: for filters that are too long for a URL.',
      body: queryBodySchema,
      response: envelope,
      errors: ['INVALID_QUERY', 'INVALID_CURSOR', ...errors],
      handle: (call) => list(call, readBodyParameters(call.body, listParameters, view.resource)),
    }),
    route(`GET /${path}/count`, `count${name}`, {
      ...common,
      summary: 'Counts the items of the list.',
      ...countDocs(view.resource),
      response: z.int().min(0),
      errors: ['INVALID_QUERY', ...errors],
      handle: (call) =>
        answerCount(call, view.resource, (where, max) => options.count(scoped(call.ctx), where, max, call.params)),
    }),
    ...(one && get ? [itemRoute(`${path}/{${one.parameter}}`, itemName, { ...options, get, ...one })] : []),
  ];
}

const allowed = (role?: OrganizationRole, keys?: KeyPermission) => ({ ...(role && { role }), ...(keys && { keys }) });

/** Shared caches may store what is public. */
const cachedIf = ({ access, uncached }: { access: Readers; uncached?: readonly string[] }) =>
  access === 'public' ? { cached: { unlessFields: uncached ?? [] } } : {};

/** @param name of one row, for example `Member` */
export function itemRoute<A extends Readers, Row extends object>(
  path: string,
  name: string,
  options: ItemOptions<A, Row> & Pick<ListOptions<A, Row>, 'uncached'>,
): Untagged {
  const { access, view, summary, role, keys, get, versionTag: isTagged } = options;
  const parameter = /\{(\w+)\}$/.exec(path)?.[1] ?? '';
  return {
    ...partsOf(`GET /${path}`),
    ...cachedIf(options),
    operationId: `get${name}`,
    read: readOf(name),
    summary,
    access,
    ...allowed(role, keys),
    parameters: queryDocs(projectionSchemas(view)),
    response: view.schema,
    errors: ['INVALID_QUERY', 'NOT_FOUND'],
    ...(isTagged ? { headers: { ETag: versionTagDoc } } : {}),
    async handle({ ctx, params, query, response }) {
      // the router has checked what `access` requires
      const viewed = ctx as RouteContexts[A];
      const { fields, include } = parseProjection(view, query);
      const columns = [...rowColumns({ fields, include }, options), ...(isTagged ? ['version'] : [])];
      const row = await get(viewed, params[parameter] ?? '', columns, params);
      if (isTagged) response.set('etag', versionTag((row as { version?: number }).version as number));
      return (await presentRows(viewed, [row], { fields, include }, options))[0];
    },
  };
}

/** @throws DomainError NOT_FOUND if the viewer may not see the row */
export function requireFound<Value>(value: Value | null): Value {
  if (value === null) throw new DomainError('NOT_FOUND');
  return value;
}

/** What is read with the row. */
function rowColumns({ fields, include }: Projected, { loaders = {} }: { loaders?: Loaders<never> }): string[] {
  return [...fields.filter((name) => !(name in loaders)), ...include.map((name) => `${name}_id`)];
}

async function presentRows<A extends Readers, Row extends object>(
  ctx: RouteContexts[A],
  rows: Row[],
  { fields, include }: Projected,
  { loaders = {}, relations = {} }: Pick<ItemOptions<A, Row>, 'loaders' | 'relations'>,
): Promise<object[]> {
  // a statement may have read exactly these
  if (include.length === 0 && Object.keys(rows[0] ?? {}).join() === fields.join()) return rows;
  const [computed, related] = await Promise.all([
    loadAll(ctx, rows, loaders, fields, () => 'id'),
    loadAll(ctx, rows, relations, include, (name) => `${name}_id`),
  ]);
  if (related.some(({ values }) => values.includes(null))) throw new DomainError('NOT_FOUND');
  const added = [...computed, ...related];
  return rows.map((row, index) => {
    const item = pick(row, fields);
    for (const { name, values } of added) item[name] = values[index];
    return item;
  });
}

/** The values under some of the names, each with those of all rows. */
async function loadAll<C>(
  ctx: C,
  rows: readonly object[],
  loaders: Loaders<C>,
  names: readonly string[],
  columnOf: (name: string) => string,
): Promise<{ name: string; values: readonly unknown[] }[]> {
  const asked = Object.entries(loaders).filter(([name]) => names.includes(name));
  return await Promise.all(
    asked.map(async ([name, loaderOf]) => {
      const loader = loaderOf(ctx);
      const ids = rows.map((row) => (row as Record<string, unknown>)[columnOf(name)] as string);
      const values = ids.map((id) => (loader instanceof PrimedLoader ? loader.find(id) : loader.load(id)));
      // without promises if the page was read with them
      return { name, values: values.some((each) => each instanceof Promise) ? await Promise.all(values) : values };
    }),
  );
}

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
