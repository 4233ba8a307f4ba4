import { parseUuid } from '#input-values';
import type { MemberContext } from '../../engine/context.ts';
import type { ChildList } from '../../engine/list/child-list.ts';
import type { ListInput } from '../../engine/list/list.ts';
import type { Page } from '../../engine/list/page.ts';
import { fault } from '../../kernel/errors.ts';
import { type ListOptions, requireFound } from './list.routes.ts';

interface Below<Row> {
  /** By default, those of the list. */
  pages?(
    ctx: MemberContext,
    input: ListInput,
    include: readonly string[],
  ): { load(parent: string): Promise<Page<Row> | null> };
  /** Further conditions on the parent. @throws DomainError NOT_FOUND */
  requireParent?(ctx: MemberContext, params: Record<string, string>): Promise<unknown>;
}

/**
 * A list of the row that a path parameter names. A cursor is checked before the row (note 0023).
 * @throws DomainError INVALID_CURSOR, NOT_FOUND
 */
export function listBelow<Row extends { id: string }>(
  parameter: string,
  list: ChildList<Row>,
  { pages = (ctx, input) => list.pages(ctx, input), requireParent }: Below<Row> = {},
): Pick<ListOptions<'organization', Row>, 'access' | 'errors' | 'list' | 'count'> {
  return {
    access: 'organization',
    errors: ['NOT_FOUND'],
    list: async (ctx, input, { params, include }) => {
      const { paging } = input;
      const parent = parseUuid(params[parameter]);
      if (parent === null && paging.by === 'token' && paging.token !== null)
        throw fault('INVALID_CURSOR', '/token', 'The cursor does not belong to this list.');
      const page = requireFound(parent === null ? null : await pages(ctx, input, include).load(parent));
      await requireParent?.(ctx, params);
      return page;
    },
    count: async (ctx, where, max, params) => {
      await requireParent?.(ctx, params);
      const parent = parseUuid(params[parameter]);
      return requireFound(parent === null ? null : await list.counts(ctx, where, max).load(parent));
    },
  };
}
