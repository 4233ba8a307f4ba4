import { type RawBuilder, sql } from 'kysely';
import { type Context, type Loader, type MemberContext, rowLoader, withMembership } from '../../engine/context.ts';
import { ChildList } from '../../engine/list/child-list.ts';
import { findOwnRows } from '../../engine/list/list.ts';
import type { ListDefinition, MemberScope } from '../../engine/list/resource.ts';
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
  const own = { list: knownChanges, owner: ctx.membership.organizationId };
  return findOwnRows<SubscriptionChangeRow>(ctx, own, ids, columns);
}

const knownChanges: ListDefinition = {
  resource: subscriptionChangeResource,
  visible: (at: MemberScope) =>
    sql`exists (select from subscription p where p.id = t.subscription_id and ${visible(at)})`,
};

function visible(at: MemberScope): RawBuilder<boolean> {
  return sql`exists (
      select from event e where (e.id, e.organization_id) = (p.event_id, p.organization_id) and ${visibleEvents(at, 'e')}
    ) and ${visibleSubscriptions(at, 'p')}`;
}

export function changeLoader(ctx: Context, columns: readonly string[]): Loader<SubscriptionChangeRow | null> {
  return rowLoader(ctx, `change ${columns.join()}`, (ids) => findChanges(withMembership(ctx), ids, columns));
}
