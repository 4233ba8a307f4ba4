import {
  type WebhookDeliveryRow,
  type WebhookRow,
  webhookDeliveryResource,
  webhookResource,
} from '../../domain/webhook/webhook.resource.ts';
import { webhookDeliveries, webhookDeliveryLoader, webhooks } from '../../domain/webhook/webhook.ts';
import { builder } from '../builder/builder.ts';
import { ending } from '../builder/ending.ts';
import { planOnce, Selection } from '../builder/selection.ts';
import { Connection, connectionType, itemReads, needsPage } from '../relay/connection.ts';
import { pageOfNodes } from '../relay/field-costs.ts';
import { filteredPage, listArguments } from '../relay/list-arguments.ts';
import { resourceNode } from '../relay/resource-node.ts';
import { organizationList } from './organization-list.ts';

export const WebhookRef = resourceNode<WebhookRow>('Webhook', {
  description: 'Where to send what changes in the organization, and how far that has been done.',
  resource: webhookResource,
  loader: webhooks.loader,
});

export const WebhookConnection = organizationList('webhooks', {
  type: WebhookRef,
  items: 'webhooks',
  description: 'The webhooks of the organization, oldest first; for owners.',
  resource: webhookResource,
  list: webhooks,
});

export const WebhookDeliveryRef = resourceNode<WebhookDeliveryRow>('WebhookDelivery', {
  description: 'A try to deliver a change to a webhook.',
  resource: webhookDeliveryResource,
  loader: webhookDeliveryLoader,
});

const WebhookDeliveryConnection = connectionType(WebhookDeliveryRef, 'deliveries');
const deliveryArguments = filteredPage('WebhookDeliveryWhere', webhookDeliveryResource, 'tries');

builder.objectField(WebhookRef, 'deliveries', (t) =>
  t.field({
    ...ending('webhookDeliveries'),
    type: WebhookDeliveryConnection,
    description: 'The tries to deliver changes to the webhook, oldest first.',
    args: deliveryArguments,
    extensions: { cost: pageOfNodes },
    resolve: async (webhook, args, ctx, info) => {
      const { pages, counts } = planOnce(ctx, info, () => {
        const selection = Selection.answer(info);
        const input = { ...listArguments(webhookDeliveryResource, args, 1), ...itemReads(selection) };
        return {
          pages: needsPage(selection, args) ? webhookDeliveries.pages(ctx, input) : null,
          counts: (max?: number) => webhookDeliveries.counts(ctx, input.where, max),
        };
      });
      const count = async (max?: number) => (await counts(max).load(webhook.id)) ?? { value: 0, exact: true };
      return new Connection(pages && (await pages.load(webhook.id)), count);
    },
  }),
);
