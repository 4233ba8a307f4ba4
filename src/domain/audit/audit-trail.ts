import sql, { type Sql } from 'sql-template-tag';
import type { MemberContext } from '../context.ts';
import type { Condition } from '../list/condition.ts';
import type { Count } from '../list/count.ts';
import type { ListInput } from '../list/list.ts';
import { findOwnRows, type OwnList, readOwnCount, readOwnPage } from '../list/own-list.ts';
import type { Page } from '../list/page.ts';
import { requireRole } from '../organization/membership.policy.ts';
import { type AuditRow, auditResource } from './audit.resource.ts';

/**
 * A page of the organization's audit trail, oldest first; for owners. What happened to a person's account and sessions
 * is in the trail of each organization that the person belonged to at that time.
 *
 * @throws DomainError FORBIDDEN, INVALID_CURSOR
 */
export async function listAudit(ctx: MemberContext, input: ListInput): Promise<Page<AuditRow>> {
  requireRole(ctx, 'owner');
  return readOwnPage<AuditRow>(ctx, auditList(ctx), input);
}

/**
 * How many entries the list would hold, up to `max` where it is given.
 *
 * @throws DomainError FORBIDDEN
 */
export async function countAudit(ctx: MemberContext, where: Condition, max?: number): Promise<Count> {
  requireRole(ctx, 'owner');
  return readOwnCount(ctx, auditList(ctx), where, max);
}

/** The entries of these ids that the viewer may see, in no order. */
export async function findAuditEntries(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<AuditRow[]> {
  return findOwnRows<AuditRow>(ctx, auditList(ctx), ids, columns);
}

function auditList(ctx: MemberContext): OwnList {
  const { organizationId, role } = ctx.membership;
  const visible: Sql = role === 'owner' ? sql`t.organization_id = ${organizationId}::uuid` : sql`false`;
  return { resource: auditResource, owner: organizationId, visible };
}
