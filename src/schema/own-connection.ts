import type { GraphQLResolveInfo } from 'graphql';
import type { Context, MemberContext } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import type { Condition } from '../domain/list/condition.ts';
import type { Count } from '../domain/list/count.ts';
import type { ListInput } from '../domain/list/list.ts';
import type { Page } from '../domain/list/page.ts';
import type { ListResource } from '../domain/list/resource.ts';
import { memberContext } from './access.ts';
import { Connection, itemReads, needsPage } from './connection.ts';
import { type ListArguments, listArguments } from './list-arguments.ts';
import { Selection } from './selection.ts';

/** The two reads of a list, as the domain has them. */
interface ListReads<Row> {
  list(input: ListInput): Promise<Page<Row>>;
  count(where: Condition, max?: number): Promise<Count>;
}

/**
 * A list of the viewer's or the organization's as a connection; only what is selected is read.
 *
 * @throws DomainError INVALID_QUERY, INVALID_CURSOR, and what the reads throw
 */
export async function ownConnection<Row>(
  info: GraphQLResolveInfo,
  resource: ListResource,
  args: ListArguments,
  { list, count }: ListReads<Row>,
): Promise<Connection<Row>> {
  const { where, paging } = listArguments(resource, args, 1);
  const selection = Selection.answer(info);
  const page = needsPage(selection, args) ? await list({ where, paging, ...itemReads(selection) }) : null;
  return new Connection(page, (max) => count(where, max));
}

/**
 * The context for what belongs to an organization that a field was reached through.
 *
 * @throws DomainError ORGANIZATION_REQUIRED where the request is scoped to none, or to another
 */
export function contextOf(ctx: Context, organization: { id: string }): MemberContext {
  if (ctx.membership?.organizationId !== organization.id) throw new DomainError('ORGANIZATION_REQUIRED');
  return memberContext(ctx);
}
