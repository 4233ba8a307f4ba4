import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import { batchLoader, type Context, type Loader, rowLoader, withViewer } from '../../engine/context.ts';
import { findOwnRows } from '../../engine/list/list.ts';
import { shapeRow } from '../../engine/list/page.ts';
import type { ListDefinition } from '../../engine/list/resource.ts';
import { serveToMembers } from '../../engine/list/served-list.ts';
import { isManager } from '../../kernel/request.ts';
import { proven, provenMemberships } from '../access/memberships.ts';
import { type MembershipRow, membershipResource } from './membership.resource.ts';

const searched = proven.selectAll('m').select(['u.name', 'u.mailbox']);

/** Oldest first. */
export const members = serveToMembers<MembershipRow>({
  resource: membershipResource,
  source: () => searched,
  visible: ({ membership, viewer }) =>
    isManager(membership) ? sql.lit(true) : sql`t.user_id = ${viewer.userId}::uuid`,
  from: 'write',
});

const known: ListDefinition = {
  resource: membershipResource,
  source: () => provenMemberships,
  visible({ viewer, membership }) {
    const own = sql<boolean>`t.user_id = ${viewer.userId}::uuid`;
    if (!membership || !isManager(membership)) return own;
    return sql`(${own} or t.organization_id = ${membership.organizationId}::uuid)`;
  },
};

const membershipsOf = prepared((at: { userId: string }) =>
  proven
    .select(['m.id', 'm.organization_id', 'm.user_id', 'm.role', 'm.created_at'])
    .where('m.user_id', '=', at.userId)
    .orderBy('m.created_at')
    .orderBy('m.id'),
);

const membershipColumns = ['organization_id', 'user_id', 'role', 'created_at'];

/** The viewer's own in any organization, and those of {@link members} in the request's organization. */
export function membershipLoader(ctx: Context): Loader<MembershipRow | null> {
  return rowLoader(ctx, 'membership', (ids) => {
    const own = { list: known, owner: withViewer(ctx).viewer.userId };
    return findOwnRows<MembershipRow>(ctx, own, ids, membershipColumns);
  });
}

/** None for a user other than the viewer. */
export function membershipsLoader(ctx: Context): Loader<MembershipRow[]> {
  return batchLoader(ctx, 'memberships', async (userIds) => {
    const rows = ctx.viewer ? await ctx.db.rows(membershipsOf(ctx.viewer)) : [];
    const own = rows.map((each) => shapeRow<MembershipRow>(membershipResource, each));
    return userIds.map((id) => (id === ctx.viewer?.userId ? own : []));
  });
}
