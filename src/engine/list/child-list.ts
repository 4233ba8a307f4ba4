import { type RawBuilder, sql } from 'kysely';
import { empty } from '#postgres-access';
import { DomainError } from '../../kernel/errors.ts';
import { batchLoader, type Context, type Loader, type MemberContext, rowLoader, withMembership } from '../context.ts';
import { PrimedLoader } from '../primed-loader.ts';
import { type Condition, canonicalText, filterShape, filterValues, type ListSlots } from './condition.ts';
import { type Count, readCounts } from './count.ts';
import { columnsSql, conditionOf, numberOf, orderBy, pageSql, walk } from './list.sql.ts';
import { CursorScope, findOwnRows, isPlanKept, type ListInput, type Paging, positionIn, readPages } from './list.ts';
import {
  columnsOf,
  type ListStatement,
  makePage,
  type NestedPage,
  orderedColumns,
  type Page,
  pageShape,
  pageValues,
  type RawPage,
  shapeRow,
  timestampColumns,
  type Window,
} from './page.ts';
import type { ChildDefinition, ListDefinition, ListResource, ListScope } from './resource.ts';

type ReadPages<Row> = (ctx: MemberContext, parents: readonly string[]) => Promise<Map<string, Page<Row> | DomainError>>;

/** A list that belongs to a row, such as the subscriptions of an event; one statement reads it for many parents. */
export class ChildList<Row extends { id: string }> {
  readonly resource: ListResource;
  readonly #definition: ChildDefinition;
  /** The rows of all parents. */
  readonly #rows: ListDefinition;

  constructor(definition: ChildDefinition) {
    const { resource, parent, visibleParents } = definition;
    this.resource = resource;
    this.#definition = definition;
    const visible = (at: ListScope) =>
      sql<boolean>`exists (select from ${sql.table(parent.table)} p where p.id = ${sql.ref(`t.${parent.column}`)} and ${visibleParents(at)})`;
    this.#rows = { resource, visible };
  }

  /** Pages by parent, without parents that the viewer may not see; INVALID_CURSOR for a cursor of another list. */
  async list(
    ctx: MemberContext,
    parents: readonly string[],
    input: ListInput,
    joined?: ListStatement['joined'],
  ): Promise<Map<string, Page<Row> | DomainError>> {
    return await readPagesOf<Row>(
      ctx,
      parents,
      input.paging,
      (parent) => this.scope(ctx, parent, input.where),
      (ids, window) => ({ ...this.statement(ctx, input, window, joined), parents: ids }),
    );
  }

  /** Like {@link list}; counts up to `max` rows of each parent. */
  async count(
    ctx: MemberContext,
    parents: readonly string[],
    where: Condition,
    max?: number,
  ): Promise<Map<string, Count>> {
    return await readCounts(ctx, { list: this.#definition, owner: ctx.membership.organizationId, where, parents }, max);
  }

  /** The rows with these ids whose parents the viewer may see, in no particular order. */
  async find(ctx: MemberContext, ids: readonly string[], columns: readonly string[]): Promise<Row[]> {
    const own = { list: this.#rows, owner: ctx.membership.organizationId };
    return await findOwnRows<Row>(ctx, own, ids, columns);
  }

  /** As {@link find}; null for a row that it does not return. */
  readonly loader = (ctx: Context, columns: readonly string[]): Loader<Row | null> =>
    rowLoader(ctx, `${this.resource.name} ${columns.join()}`, (ids) => this.find(withMembership(ctx), ids, columns));

  /** What the cursors of a parent's list are valid for. */
  scope(ctx: MemberContext, parent: string, where: Condition): CursorScope {
    const { resource } = this;
    return new CursorScope(ctx, {
      ...{ owner: ctx.membership.organizationId, resource, parent, where },
      order: resource.order,
    });
  }

  /** A page of the list, without its parents. */
  statement(
    ctx: MemberContext,
    { where, columns, cursors = true, flags = true }: ListInput,
    window: Window,
    joined?: ListStatement['joined'],
  ): ListStatement {
    const list = this.#definition;
    const owner = ctx.membership.organizationId;
    return { list, owner, where, columns, cursors, flags, order: list.resource.order, window, joined };
  }

  /**
   * Pages by parent; null for a parent that the viewer may not see. Lists of the parents may fill it.
   *
   * @param options `key` is what `read` depends on in addition to the input
   */
  pages(
    ctx: Context,
    input: ListInput,
    { key = '', read = (own, parents) => this.list(own, parents, input) }: { key?: string; read?: ReadPages<Row> } = {},
  ): PrimedLoader<Page<Row>> {
    // an error rejects only its own key
    const find = async (parents: readonly string[]) => {
      const pages = await read(withMembership(ctx), parents);
      return parents.map((parent) => (pages.get(parent) ?? null) as Page<Row> | null);
    };
    const name = `${this.resource.name} pages ${listKey(input)} ${key}`;
    return ctx.loaders.once(name, () => new PrimedLoader<Page<Row>>(find));
  }

  /** Counts by parent, up to `max`; null for a parent that the viewer may not see. */
  counts(ctx: Context, where: Condition, max?: number): Loader<Count | null> {
    const name = `${this.resource.name} counts ${max ?? 'of all'} ${canonicalText(where)}`;
    return batchLoader<Count | null>(ctx, name, async (parents) => {
      const counts = await this.count(withMembership(ctx), parents, where, max);
      return parents.map((parent) => counts.get(parent) ?? null);
    });
  }
}

/** The same for equal inputs of a list. */
export function listKey({ where, paging, columns, cursors, flags }: ListInput): string {
  return JSON.stringify([paging, columns, cursors, flags, canonicalText(where)]);
}

/** Like {@link ChildList.list}, for any statement with parents. */
export async function readPagesOf<Row>(
  ctx: Context,
  parents: readonly string[],
  paging: Paging,
  scopeOf: (parent: string) => CursorScope,
  statementOf: (parents: readonly string[], window: Window) => ListStatement,
): Promise<Map<string, Page<Row> | DomainError>> {
  const answers = new Map<string, Page<Row> | DomainError>();
  const scopes = new Map<string, CursorScope>();
  let window: Window | undefined;
  for (const id of parents) {
    const scope = scopeOf(id);
    try {
      // without cursors the window is the same for every parent; a cursor can belong to only one
      window = scope.window(paging);
      scopes.set(id, scope);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      answers.set(id, error);
    }
  }
  if (!window) return answers;
  const statement = statementOf([...scopes.keys()], window);
  const pages = await readPages<Row>(ctx, statement, (parent) => scopes.get(parent) as CursorScope, scopes.size);
  for (const [parent, page] of pages) answers.set(parent, page);
  return answers;
}

/**
 * A page that is read with each row of another statement.
 *
 * @param key identical for identical pages
 * @param statement without cursors, which would belong to one parent's list
 * @param link joins the list's rows (alias `t`) to the outer row (alias `page`)
 * @param take called with the id of each row and its page
 */
export function nestPages<Row>(
  key: string,
  statement: ListStatement,
  link: RawBuilder<boolean>,
  scope: (parent: string) => CursorScope,
  take: (parent: string, page: Page<Row>) => void,
): NestedPage {
  const read = nestedReader<Row>(statement);
  const position = positionIn<Row>(statement);
  return {
    key,
    shape: [numberOf(statement.list), filterShape(statement.where), ...pageShape(statement)].join(' '),
    values: nestedValues({ ...filterValues(statement.list.resource, statement.where), ...pageValues(statement) }),
    join: (slots) => nestedSql(statement, link, { ...slots, slot: (name) => slots.slot(nestedName(name)) }),
    prepared: isPlanKept(statement),
    take: (row) => {
      const { id, _nested } = row as { id: string; _nested?: unknown };
      take(id, makePage(statement.window, read(_nested), position, scope(id).seal));
    },
  };
}

/** Of a slot: the outer statement has others of the same names. */
const nestedName = (name: string) => `nested_${name}`;

const nestedValues = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [nestedName(name), value]));

/** A lateral join that adds `_nested`: a JSON array with one array per row of the page, or null if the page is empty. */
function nestedSql(statement: ListStatement, link: RawBuilder<boolean>, slots: ListSlots): RawBuilder<unknown> {
  const { joined, order, window } = statement;
  const further = (joined?.columns ?? []).map((column) => column.sql(slots.scope));
  const shown = sql.join([columnsSql('page', columnsOf(statement)), ...further]);
  const linked = sql<boolean>`${link} and ${conditionOf(statement, slots)}`;
  return sql`
    left join lateral (select json_agg(json_build_array(${shown}) ${orderBy('page', order, walk(window))}) as _nested
      from (${pageSql(statement, linked, orderedColumns(statement), slots)}) page
      ${joined?.join(slots.scope) ?? empty}) nested on true`;
}

/** Reads the column `_nested` of {@link nestedSql}. */
function nestedReader<Row>(statement: ListStatement): (value: unknown) => RawPage<Row> {
  const columns = columnsOf(statement);
  const timestamps = timestampColumns(statement.list.resource, columns);
  const keys = [...columns, ...(statement.joined?.columns ?? []).map(({ name }) => name)];
  return (value) => {
    const rows = ((value ?? []) as unknown[][]).map((values) => {
      const row: Record<string, unknown> = {};
      for (let index = 0; index < keys.length; index += 1) row[keys[index] as string] = values[index];
      return shapeRow<Row>(statement.list.resource, row, timestamps);
    });
    return { rows, behind: false, ahead: false };
  };
}
