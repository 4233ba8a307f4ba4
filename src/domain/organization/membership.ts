import sql from 'sql-template-tag';
import type { Context, MemberContext, ViewerContext } from '../context.ts';
import { rows } from '../database.ts';
import { DomainError } from '../errors.ts';
import type { Condition } from '../list/condition.ts';
import type { Count } from '../list/count.ts';
import type { ListInput } from '../list/list.ts';
import { findOwnRows, type OwnList, readOwnCount, readOwnPage } from '../list/own-list.ts';
import type { Page } from '../list/page.ts';
import { shapeRow } from '../list/row.ts';
import { parseUuid } from '../uuid.ts';
import { visibleMemberships } from './membership.policy.ts';
import { type MembershipRow, membershipResource } from './membership.resource.ts';

/**
 * A page of the organization's members that the viewer may see, oldest first.
 *
 * @throws DomainError INVALID_CURSOR
 */
export async function listMembers(ctx: MemberContext, input: ListInput): Promise<Page<MembershipRow>> {
  return readOwnPage<MembershipRow>(ctx, memberList(ctx), input);
}

/** How many members the list would hold, up to `max` where it is given. */
export async function countMembers(ctx: MemberContext, where: Condition, max?: number): Promise<Count> {
  return readOwnCount(ctx, memberList(ctx), where, max);
}

/**
 * One membership of the organization.
 *
 * @throws DomainError NOT_FOUND for what is unknown, foreign or not for the viewer's eyes
 */
export async function getMember(ctx: MemberContext, id: string, columns: readonly string[]): Promise<MembershipRow> {
  const uuid = parseUuid(id);
  const [found] = uuid ? await findOwnRows<MembershipRow>(ctx, memberList(ctx), [uuid], columns) : [];
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

/**
 * The memberships of these ids that the viewer may see, in no order: the own ones anywhere, and in the organization of
 * the request those of {@link listMembers}.
 */
export async function findMemberships(ctx: ViewerContext, ids: readonly string[]): Promise<MembershipRow[]> {
  const own = sql`t.user_id = ${ctx.viewer.userId}::uuid`;
  const visible = ctx.membership ? sql`(${own} or (${visibleMemberships(ctx as MemberContext)}))` : own;
  const list = { resource: membershipResource, visible };
  return findOwnRows<MembershipRow>(ctx, { ...list, owner: ctx.viewer.userId }, ids, membershipColumns);
}

/** All of the viewer's own memberships, oldest first. */
export async function listOwnMemberships(ctx: Context): Promise<MembershipRow[]> {
  const found = await rows<Record<string, unknown>>(
    ctx.reader,
    sql`select t.id, t.organization_id, t.user_id, t.role, t.created_at from membership t
      where t.user_id = ${ctx.viewer?.userId}::uuid order by t.created_at, t.id`,
  );
  return found.map((each) => shapeRow<MembershipRow>(membershipResource, each));
}

const membershipColumns = ['organization_id', 'user_id', 'role', 'created_at'];

function memberList(ctx: MemberContext): OwnList {
  const owner = ctx.membership.organizationId;
  return { resource: membershipResource, owner, visible: visibleMemberships(ctx), from: 'write' };
}
