import { sql } from 'kysely';
import { isoTimestamp } from '#input-values';
import { prepared, type RowOf } from '#postgres-access';
import { batchLoader, type Context, type Loader, type MemberContext, withMembership } from '../../engine/context.ts';
import { type Permission, permissionTo } from '../../engine/permission.ts';
import { DomainError } from '../../kernel/errors.ts';
import { deleteEvent, requireDeletable } from '../event/delete-event.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { eventTransitions } from '../event/event.state.ts';
import { spotColumns } from '../event/lock-event.ts';
import { updateEvent } from '../event/update-event.ts';
import { anyOf, tables } from '../tables/tables.ts';
import { checkIn, requireCheckIn } from './check-in.ts';
import { requireMove } from './move-subscription.ts';
import { firstStatus } from './new-subscription.ts';
import { subscribe } from './subscribe.ts';
import { liveStatuses } from './subscription.state.ts';
import { requireAnswerable, updateSubscription } from './update-subscription.ts';

export const eventPermissionNames = ['subscribe', 'update', 'cancel', 'delete'] as const;

/** Whether the viewer can subscribe, and change, cancel or delete the event (reference/events.md#what-the-viewer-can-do). */
export type EventPermissions = Record<(typeof eventPermissionNames)[number], Permission>;

const eventStates = prepared((at: { ids: readonly string[]; organizationId: string; userId: string }) =>
  tables
    .selectFrom('event as e')
    .select(spotColumns.map((name) => `e.${name}` as const))
    .select(({ fn, lit, selectFrom }) => {
      const all = selectFrom('subscription as s').whereRef('s.event_id', '=', 'e.id');
      const own = all.where('s.user_id', '=', at.userId);
      // not `exists`: PostgreSQL may then hash the subscriptions of all events
      const some = (rows: typeof all) => fn.coalesce(rows.select(lit(true).as('found')).limit(lit(1)), lit(false));
      return [
        own.select('s.status').orderBy('s.created_at', 'desc').orderBy('s.id', 'desc').limit(lit(1)).as('newest'),
        some(own.where('s.status', '=', anyOf(liveStatuses))).as('isLive'),
        some(all.where('s.status', '=', sql.lit('waitlisted'))).as('somebodyWaits'),
        some(all).as('isSubscribed'),
      ];
    })
    .where('e.id', '=', anyOf(at.ids))
    .where('e.organization_id', '=', at.organizationId),
);

/** For events that the viewer may see. */
export function eventPermissionsLoader(ctx: Context): Loader<EventPermissions> {
  return batchLoader<EventPermissions>(ctx, 'event permissions', async (ids) => {
    const member = withMembership(ctx);
    const { viewer, membership } = member;
    const rows = await ctx.db.rows(
      eventStates({ ids, organizationId: membership.organizationId, userId: viewer.userId }),
    );
    const found = new Map(rows.map((row) => [row.id, { ...row, date_end: isoTimestamp(row.date_end) }]));
    return ids.map((id) => eventPermissionsFor(member, found.get(id)));
  });
}

function eventPermissionsFor(ctx: MemberContext, event: RowOf<typeof eventStates> | undefined): EventPermissions {
  return {
    subscribe: permissionTo(ctx, subscribe, event, (state) =>
      firstStatus(ctx, state, { named: false, status: undefined }, state),
    ),
    update: permissionTo(ctx, updateEvent, event),
    cancel: permissionTo(ctx, updateEvent, event, ({ status }) => {
      const { CANCELLED } = eventStatuses;
      // setting the current status changes nothing
      if (status !== CANCELLED && !eventTransitions[status][CANCELLED]) throw new DomainError('INVALID_TRANSITION');
    }),
    delete: permissionTo(ctx, deleteEvent, event, (state) => requireDeletable(state, state.isSubscribed)),
  };
}

export const subscriptionPermissionNames = ['cancel', 'answer', 'check_in'] as const;

/** Whether the viewer can cancel it, change its answers, and check it in. */
export type SubscriptionPermissions = Record<(typeof subscriptionPermissionNames)[number], Permission>;

const subscriptionStates = prepared((at: { ids: readonly string[]; organizationId: string }) =>
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
    const rows = await ctx.db.rows(subscriptionStates({ ids, organizationId: member.membership.organizationId }));
    const found = new Map(rows.map((row) => [row.id, { ...row, date_end: isoTimestamp(row.date_end) }]));
    return ids.map((id) => subscriptionPermissionsFor(member, found.get(id)));
  });
}

function subscriptionPermissionsFor(
  ctx: MemberContext,
  row: RowOf<typeof subscriptionStates> | undefined,
): SubscriptionPermissions {
  return {
    cancel: permissionTo(ctx, updateSubscription, row, (state) => {
      // setting the current status changes nothing
      if (state.status !== 'cancelled') requireMove(ctx, state, state, 'cancelled');
    }),
    answer: permissionTo(ctx, updateSubscription, row, (state) => requireAnswerable(ctx, state, state)),
    check_in: permissionTo(ctx, checkIn, row, (state) => requireCheckIn({ status: state.eventStatus }, state)),
  };
}
