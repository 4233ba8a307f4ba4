import { createWebhook } from '../../domain/webhook/create-webhook.ts';
import { deleteWebhook, rotateWebhookSecret, updateWebhook } from '../../domain/webhook/manage-webhook.ts';
import { replayWebhook } from '../../domain/webhook/replay-webhook.ts';
import { retryDelivery } from '../../domain/webhook/retry-delivery.ts';
import { testWebhook } from '../../domain/webhook/test-webhook.ts';
import { type WebhookDeliveryRow, type WebhookRow, webhookColumns } from '../../domain/webhook/webhook.resource.ts';
import { webhookCursor, webhookDeliveryLoader, webhooks } from '../../domain/webhook/webhook.ts';
import { withMembership } from '../../engine/context.ts';
import type { Types } from '../builder/builder.ts';
import { answerColumns } from '../builder/selection.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { newEdge } from '../relay/connection.ts';
import { oneNode } from '../relay/field-costs.ts';
import { removedId } from '../relay/resource-node.ts';
import { WebhookConnection, WebhookDeliveryRef, WebhookRef } from './webhook.ts';

type Payload<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>;

const object = { field: 'id', noun: 'webhook' } as const;

const webhookField = (t: Payload<{ id: string }>) =>
  t.field({
    type: WebhookRef,
    description: 'The webhook after the mutation.',
    extensions: { cost: oneNode },
    resolve: ({ id }, _args, ctx, info) =>
      webhooks.loader(ctx, answerColumns(ctx, info)).load(id) as Promise<WebhookRow>,
  });

const webhookEdge = (t: Payload<{ id: string }>) =>
  newEdge(t, WebhookConnection, 'The new webhook, as an edge of the list of all webhooks.', async ({ id }, ctx) => {
    const node = (await webhooks.loader(ctx, webhookColumns).load(id)) as WebhookRow;
    return { node, cursor: webhookCursor(withMembership(ctx), node) };
  });

const secretField = (t: Payload<{ secret: string }>) =>
  t.string({ description: 'Signs the deliveries; shown this once.', resolve: ({ secret }) => secret });

commandMutation({
  name: 'createWebhook',
  description:
    'Creates a webhook, to which changes of the organization are sent; for owners. Shows its secret this once.',
  command: createWebhook,
  payload: (t) => ({ webhook: webhookField(t), webhookEdge: webhookEdge(t), secret: secretField(t) }),
});

commandMutation({
  name: 'updateWebhook',
  description: 'Changes a webhook, pauses it, or makes it active again; absent fields keep their values. For owners.',
  command: updateWebhook,
  object,
  payload: (t) => ({ webhook: webhookField(t) }),
});

commandMutation({
  name: 'deleteWebhook',
  description: 'Deletes a webhook with everything that waits, and its log; for owners.',
  command: deleteWebhook,
  object,
  payload: (t) => ({
    deletedWebhookId: removedId(t, 'Webhook', 'The global id of the deleted webhook.'),
  }),
});

commandMutation({
  name: 'rotateWebhookSecret',
  description: 'Gives a webhook a new secret, shown this once; the old one signs beside it for 24 hours. For owners.',
  command: rotateWebhookSecret,
  object,
  payload: (t) => ({ webhook: webhookField(t), secret: secretField(t) }),
});

commandMutation({
  name: 'testWebhook',
  description: 'Sends a `ping` to a webhook now, whatever its status; for owners. An operation may test one webhook.',
  command: testWebhook,
  object,
  payload: (t) => ({
    delivered: t.exposeBoolean('delivered', { description: 'Whether it answered with a status of 2xx in time.' }),
    httpStatus: t.exposeInt('http_status', { nullable: true, description: 'The status; null if there was no answer.' }),
    durationMs: t.exposeInt('duration_ms', { description: 'Milliseconds until the answer began.' }),
    error: t.exposeString('error', { nullable: true, description: 'What went wrong, in words.' }),
  }),
});

commandMutation({
  name: 'replayWebhook',
  description: 'Moves a webhook back in the log of changes, so that what follows is sent again; for owners.',
  command: replayWebhook,
  object,
  payload: (t) => ({ webhook: webhookField(t) }),
});

commandMutation({
  name: 'retryWebhookDelivery',
  description: 'Sends the change of a try again now; for owners.',
  command: retryDelivery,
  object: { field: 'id', noun: 'webhook_delivery' },
  payload: (t) => ({
    webhookDelivery: t.field({
      type: WebhookDeliveryRef,
      description: 'The try whose change is sent again.',
      extensions: { cost: oneNode },
      resolve: ({ id }, _args, ctx, info) =>
        webhookDeliveryLoader(ctx, answerColumns(ctx, info)).load(id) as Promise<WebhookDeliveryRow>,
    }),
  }),
});
