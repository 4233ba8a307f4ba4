import sql, { type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import type { Condition } from '../../engine/list/condition.ts';
import type { Count } from '../../engine/list/count.ts';
import { type OwnList, readOwnCount, readOwnPage } from '../../engine/list/list.ts';
import type { Page } from '../../engine/list/page.ts';
import { isManager } from '../../kernel/request.ts';
import { visibleEvents } from '../event/event.ts';
import { type SubscriptionRow, subscriptionResource } from './subscription.resource.ts';
import { joinUsers, primeUsers, type SubscriptionListInput, visibleSubscriptions } from './subscription.ts';

/** A page of the subscriptions that the viewer may see, with their users. @throws DomainError INVALID_CURSOR */
export async function listOrganizationSubscriptions(
  ctx: MemberContext,
  input: SubscriptionListInput,
): Promise<Page<SubscriptionRow>> {
  const joined = joinUsers(ctx, input.userColumns ?? []);
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

function organizationList(ctx: MemberContext): OwnList {
  return {
    resource: subscriptionResource,
    owner: ctx.membership.organizationId,
    visible: visibleInOrganization(ctx),
  };
}

/** Over the alias `t`: managers see the subscriptions of every event. */
export function visibleInOrganization(ctx: MemberContext): Sql {
  const own = sql`t.organization_id = ${ctx.membership.organizationId}::uuid`;
  if (isManager(ctx.membership)) return own;
  return sql`${own} and ${visibleSubscriptions(ctx)}
    and exists (select from event e where e.id = t.event_id and ${visibleEvents(ctx, 'e')})`;
}
