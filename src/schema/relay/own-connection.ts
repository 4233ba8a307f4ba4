import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { planOnce, Selection } from '#compiled-graphql';
import type { Context } from '../../engine/context.ts';
import type { ChildList } from '../../engine/list/child-list.ts';
import type { ListInput } from '../../engine/list/list.ts';
import type { Page } from '../../engine/list/page.ts';
import type { ListResource } from '../../engine/list/resource.ts';
import type { ServedList } from '../../engine/list/served-list.ts';
import { requireRole } from '../../kernel/request.ts';
import { builder, type Types } from '../builder/builder.ts';
import { Connection, connectionType, itemReads, needsPage } from './connection.ts';
import { type ListArguments, listArguments, pageArguments } from './list-arguments.ts';
import { whereInput } from './where.ts';

/**
 * The type and the arguments of fields with pages of rows.
 *
 * @param filtered what the filter selects, in its description
 */
export function pagesOf<Row>(type: ObjectRef<Types, Row>, resource: ListResource, items: string, filtered = items) {
  const where = whereInput(`${type.name}Where`, resource);
  const description = `Only ${filtered} that match this filter.`;
  const filter = builder.args((t) => ({ where: t.field({ type: where, description }) }));
  return { type: connectionType(type, items), args: { ...filter, ...pageArguments } };
}

type SelectedList<C extends Context, Row> = Omit<ServedList<C, Row>, 'list'> & {
  list(ctx: C, input: ListInput, selection: Selection): Promise<Page<Row>>;
};

/** Checks the role before the arguments (note 0023). @throws DomainError FORBIDDEN, INVALID_QUERY, INVALID_CURSOR */
export async function ownConnection<C extends Context, Row>(
  info: GraphQLResolveInfo,
  args: ListArguments,
  ctx: C,
  { resource, role, keys, list, count }: SelectedList<C, Row>,
): Promise<Connection<Row>> {
  if (role) requireRole(ctx, role, keys);
  const { where, paging } = listArguments(resource, args, 1);
  const selection = Selection.answer(info);
  const page = needsPage(selection, args)
    ? await list(ctx, { where, paging, ...itemReads(selection) }, selection)
    : null;
  return new Connection(page, (max) => count(ctx, where, max));
}

/** Read for all rows of a page in one statement. @throws DomainError INVALID_QUERY, INVALID_CURSOR */
export async function rowConnection<Row extends { id: string }>(
  info: GraphQLResolveInfo,
  args: ListArguments,
  ctx: Context,
  parent: string,
  list: ChildList<Row>,
): Promise<Connection<Row>> {
  const { pages, counts } = planOnce(ctx, info, () => {
    const selection = Selection.answer(info);
    const input = { ...listArguments(list.resource, args, 1), ...itemReads(selection) };
    return {
      pages: needsPage(selection, args) ? list.pages(ctx, input) : null,
      counts: (max?: number) => list.counts(ctx, input.where, max),
    };
  });
  const count = async (max?: number) => (await counts(max).load(parent)) ?? { value: 0, exact: true };
  return new Connection(pages && (await pages.load(parent)), count);
}
