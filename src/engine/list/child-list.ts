import sql, { raw, type Sql } from 'sql-template-tag';
import type { DomainError } from '../../kernel/errors.ts';
import { type Context, type MemberContext, withMembership } from '../context.ts';
import { batchLoader, type Loader } from '../loaders.ts';
import { PrimedLoader } from '../primed-loader.ts';
import { type Condition, canonicalText, conditionSql, isEverything } from './condition.ts';
import { type Count, readCounts } from './count.ts';
import type { ListStatement } from './list.sql.ts';
import { CursorScope, type ListInput } from './list.ts';
import { readPagesOf } from './nested-pages.ts';
import type { Page, Window } from './page.ts';
import type { ListResource } from './resource.ts';

interface ChildDefinition {
  resource: ListResource;
  /** The table of the parents, and the column of the rows that names their parent. */
  parent: { table: string; column: string };
  /** Which parents the viewer may see, over the alias `p`. */
  visibleParents(ctx: MemberContext): Sql;
  /** Which of their rows, over the alias `t`; all of them if absent. */
  visible?(ctx: MemberContext): Sql;
  /** `write` if a client must see its own change in the very next list. */
  from?: 'write';
}

/** How a caller of {@link ChildList.pages} changes the reading of pages. */
type ReadPages<Row> = (ctx: MemberContext, parents: readonly string[]) => Promise<Map<string, Page<Row> | DomainError>>;

/** A list that belongs to a row, as the subscriptions of an event do; it is read for many parents in one statement. */
export class ChildList<Row extends { id: string }> {
  readonly #definition: ChildDefinition;

  constructor(definition: ChildDefinition) {
    this.#definition = definition;
  }

  /**
   * A page for each of several parents. A parent that the viewer may not see has no entry; a cursor of another list gives
   * its parent an INVALID_CURSOR error in place of a page.
   */
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

  /** The number of rows of each parent, up to `max` each if given; likewise without an entry for what is not visible. */
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

  /** A page of the list, without saying of which parents. */
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
   * @param options what `read` depends on besides the input
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

  /** The number of rows (up to `max`) by parent; null for a parent that the viewer may not see. */
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
