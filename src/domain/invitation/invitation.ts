import sql, { type Sql } from 'sql-template-tag';
import type { MemberContext } from '../context.ts';
import type { Condition } from '../list/condition.ts';
import type { Count } from '../list/count.ts';
import type { ListInput } from '../list/list.ts';
import { findOwnRows, type OwnList, readOwnCount, readOwnPage } from '../list/own-list.ts';
import type { Page } from '../list/page.ts';
import { hasRole, requireRole } from '../organization/membership.policy.ts';
import { type InvitationRow, invitationResource } from './invitation.resource.ts';

/**
 * A page of the invitations to the organization that can still be accepted, oldest first; for managers and owners.
 *
 * @throws DomainError FORBIDDEN, INVALID_CURSOR
 */
export async function listInvitations(ctx: MemberContext, input: ListInput): Promise<Page<InvitationRow>> {
  requireRole(ctx, 'manager');
  return readOwnPage<InvitationRow>(ctx, invitationList(ctx), input);
}

/**
 * How many invitations the list would hold, up to `max` where it is given.
 *
 * @throws DomainError FORBIDDEN
 */
export async function countInvitations(ctx: MemberContext, where: Condition, max?: number): Promise<Count> {
  requireRole(ctx, 'manager');
  return readOwnCount(ctx, invitationList(ctx), where, max);
}

/** The invitations of these ids that the viewer may see, in no order. */
export async function findInvitations(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<InvitationRow[]> {
  return findOwnRows<InvitationRow>(ctx, invitationList(ctx), ids, columns);
}

function invitationList(ctx: MemberContext): OwnList {
  const { organizationId, role } = ctx.membership;
  const visible: Sql = hasRole(role, 'manager')
    ? sql`t.organization_id = ${organizationId}::uuid and t.expires_at > now()`
    : sql`false`;
  return { resource: invitationResource, owner: organizationId, visible, from: 'write' };
}
