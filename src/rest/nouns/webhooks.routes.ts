import { z } from 'zod';
import { createWebhook } from '../../domain/webhook/create-webhook.ts';
import { deleteWebhook, rotateWebhookSecret, testWebhook, updateWebhook } from '../../domain/webhook/manage-webhook.ts';
import { replayWebhook, retryDelivery } from '../../domain/webhook/resend.ts';
import { webhookColumns, webhookDeliveryResource, webhookResource } from '../../domain/webhook/webhook.resource.ts';
import { webhookDeliveries, webhooks } from '../../domain/webhook/webhook.ts';
import type { MemberContext } from '../../engine/context.ts';
import { commandRoute } from '../server/command-route.ts';
import { listRoutes } from '../server/list.routes.ts';
import { viewOf } from '../server/list.schema.ts';
import { listBelow } from '../server/list-below.ts';
import { tagged } from '../server/route.ts';

const view = viewOf(webhookResource, 'Webhook');
const secret = z.string().meta({ description: 'Signs the deliveries. Shown only once.' });

const read = (ctx: MemberContext, { id }: { id: string }) => webhooks.get(ctx, id, webhookColumns);

export const webhookRoutes = tagged('webhooks', [
  ...listRoutes('webhooks', 'Webhooks', {
    ...webhooks,
    view,
    summary: 'Lists the webhooks of the organization, oldest first; for owners.',
    one: { parameter: 'webhook', summary: 'One webhook; for owners.' },
  }),
  commandRoute('POST /webhooks', createWebhook, {
    created: ({ id }) => `/webhooks/${id}`,
    shows: viewOf(webhookResource, 'CreatedWebhook', { further: { secret } }),
    answer: async (ctx, made) => ({ ...(await read(ctx, made)), secret: made.secret }),
  }),
  commandRoute('PATCH /webhooks/{webhook}', updateWebhook, { shows: view, answer: read }),
  commandRoute('DELETE /webhooks/{webhook}', deleteWebhook),
  commandRoute('POST /webhooks/{webhook}/secret', rotateWebhookSecret, {
    response: z.strictObject({ secret }).meta({ id: 'WebhookSecret' }),
    answer: (_ctx, made) => ({ secret: made.secret }),
  }),
  commandRoute('POST /webhooks/{webhook}/test', testWebhook, {
    summary: 'Sends a `ping` to the webhook now, whatever its status, and returns the response; for owners.',
    response: z
      .strictObject({
        delivered: z.boolean(),
        http_status: z.int().min(100).max(599).nullable(),
        duration_ms: z.int().min(0),
        error: z.string().nullable(),
      })
      .meta({ id: 'WebhookTest' }),
  }),
  commandRoute('POST /webhooks/{webhook}/replay', replayWebhook, {
    summary: 'Moves the webhook back in the log of changes, so that what follows is sent again; for owners.',
    shows: view,
    answer: read,
  }),
  ...listRoutes('webhooks/{webhook}/deliveries', 'WebhookDeliveries', {
    ...listBelow('webhook', webhookDeliveries),
    role: 'owner',
    keys: 'webhooks',
    view: viewOf(webhookDeliveryResource, 'WebhookDelivery'),
    summary: 'Lists the attempts to deliver changes to a webhook, oldest first; for owners.',
  }),
  commandRoute('POST /webhooks/{webhook}/deliveries/{delivery}/retry', retryDelivery),
]);
