import { createWebhook } from '../../domain/webhook/create-webhook.ts';
import { deleteWebhook, rotateWebhookSecret, testWebhook, updateWebhook } from '../../domain/webhook/manage-webhook.ts';
import { replayWebhook, retryDelivery } from '../../domain/webhook/resend.ts';
import {
  type WebhookDeliveryRow,
  type WebhookRow,
  webhookColumns,
  webhookDeliveryResource,
  webhookResource,
} from '../../domain/webhook/webhook.resource.ts';
import { webhookDeliveries, webhooks } from '../../domain/webhook/webhook.ts';
import { builder, type ObjectFields } from '../builder/builder.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { newEdge, ownEdge } from '../relay/connection.ts';
import { pageOfNodes } from '../relay/list-arguments.ts';
import { column } from '../relay/node-fields.ts';
import { pagesOf, rowConnection } from '../relay/own-connection.ts';
import { namedRow, removedId, resourceNode } from '../relay/resource-node.ts';
import { organizationList } from './organization-list.ts';
import { actingField } from './user.ts';

export const WebhookRef = resourceNode<WebhookRow>('Webhook', {
  description: 'Where to send what changes in the organization, and how far that has been done.',
  resource: webhookResource,
  loader: webhooks.loader,
  without: ['created_by'],
  fields: (t) => ({
    creator: actingField(t, 'created_by', 'The user who created it; null if the account is gone.'),
  }),
});

const WebhookConnection = organizationList('webhooks', {
  type: WebhookRef,
  description: 'The webhooks of the organization, oldest first; for owners.',
  list: webhooks,
});

const WebhookDeliveryRef = resourceNode<WebhookDeliveryRow>('WebhookDelivery', {
  description: 'An attempt to deliver a change to a webhook.',
  resource: webhookDeliveryResource,
  loader: webhookDeliveries.loader,
  without: ['change_id'],
  fields: (t) => ({
    // a change is no node
    changeId: t.exposeID('change_id', column(webhookDeliveryResource.fields, 'change_id')),
    webhook: namedRow(t, WebhookRef, { by: 'webhook_id', loader: webhooks.loader, description: 'The webhook.' }),
  }),
});

const deliveryPages = pagesOf(WebhookDeliveryRef, webhookDeliveryResource, 'deliveries', 'attempts');

builder.objectField(WebhookRef, 'deliveries', (t) =>
  t.field({
    ...deliveryPages,
    description: 'The attempts to deliver changes to the webhook, oldest first.',
    extensions: { read: 'webhookDeliveries', cost: pageOfNodes },
    resolve: (webhook, args, ctx, info) => rowConnection(info, args, ctx, webhook.id, webhookDeliveries),
  }),
);

const webhookField = <Row extends { id: string }>(t: ObjectFields<Row>) =>
  namedRow(t, WebhookRef, { by: 'id', loader: webhooks.loader, description: 'The webhook after the mutation.' });

const secretField = <Row extends { secret: string }>(t: ObjectFields<Row>) =>
  t.string({ description: 'Signs the deliveries. Shown only once.', resolve: ({ secret }) => secret });

commandMutation(createWebhook, (t) => ({
  webhook: webhookField(t),
  webhookEdge: newEdge(
    t,
    WebhookConnection,
    'The new webhook, as an edge of the list of all webhooks.',
    async ({ id }, ctx) =>
      ownEdge(webhookResource)((await webhooks.loader(ctx, webhookColumns).load(id)) as WebhookRow, ctx),
  ),
  secret: secretField(t),
}));
commandMutation(updateWebhook, (t) => ({ webhook: webhookField(t) }));
commandMutation(deleteWebhook, (t) => ({
  deletedWebhookId: removedId(t, 'Webhook', 'The global id of the deleted webhook.'),
}));
commandMutation(rotateWebhookSecret, (t) => ({ webhook: webhookField(t), secret: secretField(t) }));
commandMutation(testWebhook, (t) => ({
  delivered: t.exposeBoolean('delivered', { description: 'Whether it answered with a status of 2xx in time.' }),
  httpStatus: t.exposeInt('http_status', { nullable: true, description: 'The status; null if there was no answer.' }),
  durationMs: t.exposeInt('duration_ms', { description: 'Milliseconds until the answer began.' }),
  error: t.exposeString('error', { nullable: true, description: 'What went wrong, in words.' }),
}));
commandMutation(replayWebhook, (t) => ({ webhook: webhookField(t) }));
commandMutation(retryDelivery, (t) => ({
  webhookDelivery: namedRow(t, WebhookDeliveryRef, {
    by: 'id',
    loader: webhookDeliveries.loader,
    description: 'The attempt whose change is resent.',
  }),
}));
