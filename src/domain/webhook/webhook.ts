import { type RawBuilder, sql } from 'kysely';
import { ChildList } from '../../engine/list/child-list.ts';
import type { MemberScope } from '../../engine/list/resource.ts';
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
