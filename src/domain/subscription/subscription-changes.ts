import { type RawBuilder, sql } from 'kysely';
import { ChildList } from '../../engine/list/child-list.ts';
import type { MemberScope } from '../../engine/list/resource.ts';
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

function visible(at: MemberScope): RawBuilder<boolean> {
  return sql`exists (
      select from event e where (e.id, e.organization_id) = (p.event_id, p.organization_id) and ${visibleEvents(at, 'e')}
    ) and ${visibleSubscriptions(at, 'p')}`;
}
