import { type RawBuilder, sql } from 'kysely';
import { type Context, type Loader, type MemberContext, rowLoader, withMembership } from '../../engine/context.ts';
import { ChildList } from '../../engine/list/child-list.ts';
import { findOwnRows } from '../../engine/list/list.ts';
import type { ListDefinition, MemberScope } from '../../engine/list/resource.ts';
import { serveToMembers } from '../../engine/list/served-list.ts';
import { hasRole, isAllowedKey } from '../../kernel/request.ts';
import { tables } from '../tables/tables.ts';
import {
  type WebhookDeliveryRow,
  type WebhookRow,
  webhookDeliveryResource,
  webhookResource,
} from './webhook.resource.ts';
import { pending } from './webhook-place.ts';

const withPending = tables.selectFrom('webhook as w').selectAll('w').select(pending.as('pending'));

export const webhooks = serveToMembers<WebhookRow>({
  resource: webhookResource,
  role: 'owner',
  keys: 'webhooks',
  source: () => withPending,
  from: 'write',
});

export const webhookDeliveries = new ChildList<WebhookDeliveryRow>({
  resource: webhookDeliveryResource,
  parent: { table: 'webhook', column: 'webhook_id' },
  visibleParents: ownWebhooks,
  from: 'write',
});

/** The webhooks that the viewer may see, over the alias `p`. */
function ownWebhooks(at: MemberScope): RawBuilder<boolean> {
  const { organizationId, role } = at.membership;
  return hasRole(role, 'owner') || isAllowedKey(at, 'webhooks')
    ? sql`p.organization_id = ${organizationId}::uuid`
    : sql.lit(false);
}

const knownDeliveries: ListDefinition = {
  resource: webhookDeliveryResource,
  visible: (at: MemberScope) => sql`exists (select from webhook p where p.id = t.webhook_id and ${ownWebhooks(at)})`,
};

/** Those with these ids that the viewer may see, in no particular order. */
export async function findWebhookDeliveries(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<WebhookDeliveryRow[]> {
  const own = { list: knownDeliveries, owner: ctx.membership.organizationId };
  return await findOwnRows<WebhookDeliveryRow>(ctx, own, ids, columns);
}

export function webhookDeliveryLoader(ctx: Context, columns: readonly string[]): Loader<WebhookDeliveryRow | null> {
  const find = (ids: readonly string[]) => findWebhookDeliveries(withMembership(ctx), ids, columns);
  return rowLoader(ctx, `webhook_delivery ${columns.join()}`, find);
}
