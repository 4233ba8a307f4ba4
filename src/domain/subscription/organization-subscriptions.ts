import { sql } from 'kysely';
import type { MemberContext } from '../../engine/context.ts';
import type { Condition } from '../../engine/list/condition.ts';
import type { Count } from '../../engine/list/count.ts';
import { type OwnList, readOwnCount, readOwnPage } from '../../engine/list/list.ts';
import type { Page } from '../../engine/list/page.ts';
import type { ListDefinition, MemberScope } from '../../engine/list/resource.ts';
import { isManager } from '../../kernel/request.ts';
import { visibleEvents } from '../event/event.ts';
import { type SubscriptionRow, subscriptionResource } from './subscription.resource.ts';
import { joinUsers, primeUsers, type SubscriptionListInput, visibleSubscriptions } from './subscription.ts';

/** A page of the subscriptions that the viewer may see, with their users. @throws DomainError INVALID_CURSOR */
export async function listOrganizationSubscriptions(
  ctx: MemberContext,
  input: SubscriptionListInput,
): Promise<Page<SubscriptionRow>> {
  const joined = joinUsers(input);
  const page = await readOwnPage<SubscriptionRow>(ctx, organizationList(ctx), { ...input, joined });
  primeUsers(ctx, input)(page.items);
  return page;
}

/** Up to `max` if given. */
export async function countOrganizationSubscriptions(
  ctx: MemberContext,
  where: Condition,
  max?: number,
): Promise<Count> {
  return await readOwnCount(ctx, organizationList(ctx), where, max);
}

/** Managers see the subscriptions of every event. */
const organizationSubscriptions: ListDefinition = {
  resource: subscriptionResource,
  visible(at: MemberScope) {
    const own = sql<boolean>`t.organization_id = ${at.owner}::uuid`;
    if (isManager(at.membership)) return own;
    return sql`${own} and ${visibleSubscriptions(at)}
      and exists (select from event e where e.id = t.event_id and ${visibleEvents(at, 'e')})`;
  },
};

export function organizationList(ctx: MemberContext): OwnList {
  return { list: organizationSubscriptions, owner: ctx.membership.organizationId };
}
