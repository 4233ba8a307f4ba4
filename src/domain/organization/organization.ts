import sql from 'sql-template-tag';
import type { ViewerContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Condition } from '../list/condition.ts';
import type { Count } from '../list/count.ts';
import type { ListInput } from '../list/list.ts';
import { findOwnRows, type OwnList, readOwnCount, readOwnPage } from '../list/own-list.ts';
import type { Page } from '../list/page.ts';
import { type OrganizationRow, organizationResource } from './organization.resource.ts';

/**
 * A page of the organizations that the viewer belongs to, oldest first.
 *
 * @throws DomainError INVALID_CURSOR
 */
export async function listOwnOrganizations(ctx: ViewerContext, input: ListInput): Promise<Page<OrganizationRow>> {
  return readOwnPage<OrganizationRow>(ctx, organizationList(ctx), input);
}

/** How many organizations the list would hold, up to `max` where it is given. */
export async function countOwnOrganizations(ctx: ViewerContext, where: Condition, max?: number): Promise<Count> {
  return readOwnCount(ctx, organizationList(ctx), where, max);
}

/** The organizations of these ids that the viewer belongs to, in no order. */
export async function findOwnOrganizations(
  ctx: ViewerContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<OrganizationRow[]> {
  return findOwnRows<OrganizationRow>(ctx, organizationList(ctx), ids, columns);
}

/**
 * One organization of the viewer's.
 *
 * @throws DomainError NOT_FOUND
 */
export async function getOwnOrganization(
  ctx: ViewerContext,
  id: string,
  columns: readonly string[],
): Promise<OrganizationRow> {
  const found = await ctx.loaders.organization(columns).load(id);
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

function organizationList(ctx: ViewerContext): OwnList {
  const { userId } = ctx.viewer;
  return {
    resource: organizationResource,
    owner: userId,
    source: sql`select o.*, m.role from organization o
      join membership m on m.organization_id = o.id and m.user_id = ${userId}::uuid`,
    visible: sql`true`,
    from: 'write',
  };
}
