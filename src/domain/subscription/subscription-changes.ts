import sql, { type Sql } from 'sql-template-tag';
import { type Context, type Loader, type MemberContext, rowLoader, withMembership } from '../../engine/context.ts';
import { ChildList } from '../../engine/list/child-list.ts';
import { findOwnRows, type OwnList } from '../../engine/list/list.ts';
import { visibleEvents } from '../event/event.ts';
import { visibleSubscriptions } from './subscription.ts';
import { type SubscriptionChangeRow, subscriptionChangeResource } from './subscription-change.resource.ts';

/** Oldest entry first. */
export const subscriptionChanges = new ChildList<SubscriptionChangeRow>({
  resource: subscriptionChangeResource,
  parent: { table: 'subscription', column: 'subscription_id' },
  visibleParents: visible,
  // a change that was just made must appear
  from: 'write',
});

export async function findChanges(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<SubscriptionChangeRow[]> {
  const list: OwnList = {
    resource: subscriptionChangeResource,
    owner: ctx.membership.organizationId,
    visible: sql`exists (select from subscription p where p.id = t.subscription_id and ${visible(ctx)})`,
  };
  return findOwnRows<SubscriptionChangeRow>(ctx, list, ids, columns);
}

function visible(ctx: MemberContext): Sql {
  return sql`exists (select from event e where (e.id, e.organization_id) = (p.event_id, p.organization_id) and ${visibleEvents(ctx, 'e')}) and ${visibleSubscriptions(ctx, 'p')}`;
}

export function changeLoader(ctx: Context, columns: readonly string[]): Loader<SubscriptionChangeRow | null> {
  return rowLoader(ctx, `change ${columns.join()}`, (ids) => findChanges(withMembership(ctx), ids, columns));
}
