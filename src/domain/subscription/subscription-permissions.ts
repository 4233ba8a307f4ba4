import { isoTimestamp } from '#input-values';
import { prepared, type RowOf } from '#postgres-access';
import { batchLoader, type Context, type Loader, type MemberContext, withMembership } from '../../engine/context.ts';
import { type Permission, permissionTo } from '../../engine/permission.ts';
import { anyOf, tables } from '../tables/tables.ts';
import { checkIn, requireCheckIn } from './check-in.ts';
import { requireMove } from './move-subscription.ts';
import { requireAnswerable, updateSubscription } from './update-subscription.ts';

export const subscriptionPermissionNames = ['cancel', 'answer', 'check_in'] as const;

/** Whether the viewer can cancel it, change its answers, and check it in. */
export type SubscriptionPermissions = Record<(typeof subscriptionPermissionNames)[number], Permission>;

const statesOf = prepared((at: { ids: readonly string[]; organizationId: string }) =>
  tables
    .selectFrom('subscription as s')
    .innerJoin('event as e', 'e.id', 's.event_id')
    .select(['s.id', 's.status', 's.checked_in_at', 'e.status as eventStatus', 'e.date_end'])
    .where('s.id', '=', anyOf(at.ids))
    .where('e.organization_id', '=', at.organizationId),
);

/** For subscriptions that the viewer may see. */
export function subscriptionPermissionsLoader(ctx: Context): Loader<SubscriptionPermissions> {
  return batchLoader<SubscriptionPermissions>(ctx, 'subscription permissions', async (ids) => {
    const member = withMembership(ctx);
    const rows = await ctx.db.rows(statesOf({ ids, organizationId: member.membership.organizationId }));
    const found = new Map(rows.map((row) => [row.id, { ...row, date_end: isoTimestamp(row.date_end) }]));
    return ids.map((id) => permissionsFor(member, found.get(id)));
  });
}

function permissionsFor(ctx: MemberContext, row: RowOf<typeof statesOf> | undefined): SubscriptionPermissions {
  return {
    cancel: permissionTo(ctx, updateSubscription, row, (state) => {
      // setting the current status changes nothing
      if (state.status !== 'cancelled') requireMove(ctx, state, state, 'cancelled');
    }),
    answer: permissionTo(ctx, updateSubscription, row, (state) => requireAnswerable(ctx, state, state)),
    check_in: permissionTo(ctx, checkIn, row, (state) => requireCheckIn({ status: state.eventStatus }, state)),
  };
}
