import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { DomainError } from '../../kernel/errors.ts';
import { batchLoader, type Context, type Loader, type MemberContext, withMembership } from '../context.ts';
import { PrimedLoader } from '../primed-loader.ts';
import { type Condition, canonicalText, conditionSql, isEverything } from './condition.ts';
import { type Count, readCounts } from './count.ts';
import {
  columnsOf,
  type ListStatement,
  type NestedPage,
  names,
  orderBy,
  orderedColumns,
  pageSql,
  shapeRow,
  timestampColumns,
  walk,
} from './list.sql.ts';
import { CursorScope, type ListInput, type Paging, positionIn, readPages } from './list.ts';
import { makePage, type Page, type RawPage, type Window } from './page.ts';
import type { ListResource } from './resource.ts';

interface ChildDefinition {
  resource: ListResource;
  /** The table of the parents, and the column of the rows that references it. */
  parent: { table: string; column: string };
  /** Which parents the viewer may see, over the alias `p`. */
  visibleParents(ctx: MemberContext): Sql;
  /** Which of their rows, over the alias `t`; all of them if absent. */
  visible?(ctx: MemberContext): Sql;
  /** `write` if a client must see its own change in the very next list. */
  from?: 'write';
}

type ReadPages<Row> = (ctx: MemberContext, parents: readonly string[]) => Promise<Map<string, Page<Row> | DomainError>>;

/** A list that belongs to a row, such as the subscriptions of an event; one statement reads it for many parents. */
export class ChildList<Row extends { id: string }> {
  readonly #definition: ChildDefinition;

  constructor(definition: ChildDefinition) {
    this.#definition = definition;
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
      (ids, window) => ({ ...this.statement(ctx, input, window, joined), parents: this.#parents(ctx, ids) }),
    );
  }

  /** Like {@link list}; counts up to `max` rows of each parent. */
  async count(
    ctx: MemberContext,
    parents: readonly string[],
    where: Condition,
    max?: number,
  ): Promise<Map<string, Count>> {
    const { resource, from } = this.#definition;
    const statement = { resource, condition: this.#condition(ctx, where), parents: this.#parents(ctx, parents) };
    return await readCounts(ctx, { ...statement, ...(from && { from }) }, max);
  }

  /** What the cursors of a parent's list are valid for. */
  scope(ctx: MemberContext, parent: string, where: Condition): CursorScope {
    const { resource } = this.#definition;
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
    const { resource, from } = this.#definition;
    return {
      ...{ resource, columns, cursors, flags, order: resource.order, window, joined },
      prepared: isEverything(where),
      condition: this.#condition(ctx, where),
      ...(from && { from }),
    };
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
    const name = `${this.#definition.resource.name} pages ${listKey(input)} ${key}`;
    return ctx.loaders.once(name, () => new PrimedLoader<Page<Row>>(find));
  }

  /** Counts by parent, up to `max`; null for a parent that the viewer may not see. */
  counts(ctx: Context, where: Condition, max?: number): Loader<Count | null> {
    const name = `${this.#definition.resource.name} counts ${max ?? 'of all'} ${canonicalText(where)}`;
    return batchLoader<Count | null>(ctx, name, async (parents) => {
      const counts = await this.count(withMembership(ctx), parents, where, max);
      return parents.map((parent) => counts.get(parent) ?? null);
    });
  }

  #condition(ctx: MemberContext, where: Condition): Sql {
    const { resource, visible } = this.#definition;
    const condition = conditionSql(resource, where, ctx);
    return visible ? sql`${visible(ctx)} and ${condition}` : condition;
  }

  #parents(ctx: MemberContext, ids: readonly string[]): NonNullable<ListStatement['parents']> {
    const { parent, visibleParents } = this.#definition;
    return {
      table: parent.table,
      link: raw(`t.${parent.column} = p.id`),
      condition: sql`p.id = any(${ids}::uuid[]) and ${visibleParents(ctx)}`,
    };
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
  link: Sql,
  scope: (parent: string) => CursorScope,
  take: (parent: string, page: Page<Row>) => void,
): NestedPage {
  const read = nestedReader<Row>(statement);
  const position = positionIn<Row>(statement);
  return {
    key,
    join: nestedSql(statement, link),
    prepared: statement.prepared === true,
    take: (row) => {
      const { id, _nested } = row as { id: string; _nested?: unknown };
      take(id, makePage(statement.window, read(_nested), position, scope(id).seal));
    },
  };
}

/** A lateral join that adds `_nested`: a JSON array with one array per row of the page, or null if the page is empty. */
function nestedSql(statement: ListStatement, link: Sql): Sql {
  const { joined, order, window, condition } = statement;
  const shown = [raw(names('page', columnsOf(statement))), ...(joined?.columns ?? []).map((column) => column.sql)];
  return sql`
    left join lateral (select json_agg(json_build_array(${join(shown, ', ')}) ${orderBy('page', order, walk(window))}) as _nested
      from (${pageSql(statement, sql`${link} and ${condition}`, orderedColumns(statement))}) page
      ${joined?.join ?? empty}) nested on true`;
}

/** Reads the column `_nested` of {@link nestedSql}. */
function nestedReader<Row>(statement: ListStatement): (value: unknown) => RawPage<Row> {
  const columns = columnsOf(statement);
  const timestamps = timestampColumns(statement.resource, columns);
  const keys = [...columns, ...(statement.joined?.columns ?? []).map(({ name }) => name)];
  return (value) => {
    const rows = ((value ?? []) as unknown[][]).map((values) => {
      const row: Record<string, unknown> = {};
      for (let index = 0; index < keys.length; index += 1) row[keys[index] as string] = values[index];
      return shapeRow<Row>(statement.resource, row, timestamps);
    });
    return { rows, behind: false, ahead: false };
  };
}
