import { z } from 'zod';
import { createWebhook, type WithSecret } from '../../domain/webhook/create-webhook.ts';
import { deleteWebhook, rotateWebhookSecret, updateWebhook } from '../../domain/webhook/manage-webhook.ts';
import { replayWebhook } from '../../domain/webhook/replay-webhook.ts';
import { retryDelivery } from '../../domain/webhook/retry-delivery.ts';
import { testWebhook } from '../../domain/webhook/test-webhook.ts';
import {
  type WebhookDeliveryRow,
  type WebhookRow,
  webhookColumns,
  webhookDeliveryResource,
  webhookResource,
} from '../../domain/webhook/webhook.resource.ts';
import { webhookDeliveries, webhooks } from '../../domain/webhook/webhook.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { ListInput } from '../../engine/list/list.ts';
import { pick } from '../../kernel/pick.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { commandRoute } from '../server/command-route.ts';
import { type ListCall, listRoutes, refuseCursorWithout, requireFound } from '../server/list.routes.ts';
import { webhookDeliverySchema, webhookSchema, webhookWithSecretSchema } from '../server/resource.schemas.ts';
import type { Route } from '../server/route.ts';

const projection = { resource: webhookResource, relations: [] };
const secretSchema = z.string().meta({ description: 'Signs the deliveries; shown this once.' });

async function read(ctx: MemberContext, { id }: { id: string }): Promise<Record<string, unknown>> {
  return pick(await webhooks.get(ctx, id, webhookColumns), webhookColumns);
}

/** Webhooks of the organization, and the log of their deliveries; for owners. */
export const webhookRoutes: Route[] = [
  ...listRoutes<'organization', WebhookRow>({
    path: '/webhooks',
    name: 'Webhooks',
    read: 'webhooks',
    summary: 'Lists the webhooks of the organization, oldest first; for owners.',
    tag: 'webhooks',
    access: 'organization',
    projection,
    item: webhookSchema,
    ...webhooks,
    one: {
      ...{ parameter: 'webhook', operationId: 'getWebhook', read: 'webhook', summary: 'One webhook; for owners.' },
      get: async (ctx, id, { fields }) => pick(await webhooks.get(ctx, id, fields), fields),
    },
  }),
  commandRoute({
    method: 'post',
    path: '/webhooks',
    operationId: 'createWebhook',
    summary:
      'Creates a webhook, to which changes of the organization are sent; for owners. Shows its secret this once.',
    tag: 'webhooks',
    command: createWebhook,
    created: ({ id }) => `/webhooks/${id}`,
    response: webhookWithSecretSchema,
    answer: async (ctx, made: WithSecret) => ({ ...(await read(ctx, made)), secret: made.secret }),
  }),
  commandRoute({
    method: 'patch',
    path: '/webhooks/{webhook}',
    operationId: 'updateWebhook',
    summary: 'Changes a webhook, pauses it, or makes it active again; absent fields keep their values. For owners.',
    tag: 'webhooks',
    command: updateWebhook,
    object: 'webhook',
    response: webhookSchema,
    answer: read,
  }),
  commandRoute({
    method: 'delete',
    path: '/webhooks/{webhook}',
    operationId: 'deleteWebhook',
    summary: 'Deletes a webhook with everything that waits, and its log; for owners.',
    tag: 'webhooks',
    command: deleteWebhook,
    object: 'webhook',
  }),
  commandRoute({
    method: 'post',
    path: '/webhooks/{webhook}/secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Gives a webhook a new secret, shown this once; the old one signs beside it for 24 hours. For owners.',
    tag: 'webhooks',
    command: rotateWebhookSecret,
    object: 'webhook',
    response: z.strictObject({ secret: secretSchema }).meta({ id: 'WebhookSecret' }),
    answer: (_ctx, { secret }) => ({ secret }),
  }),
  commandRoute({
    method: 'post',
    path: '/webhooks/{webhook}/test',
    operationId: 'testWebhook',
    summary: 'Sends a `ping` to the webhook now, whatever its status, and returns what came back; for owners.',
    tag: 'webhooks',
    command: testWebhook,
    object: 'webhook',
    response: z
      .strictObject({
        delivered: z.boolean(),
        http_status: z.int().min(100).max(599).nullable(),
        duration_ms: z.int().min(0),
        error: z.string().nullable(),
      })
      .meta({ id: 'WebhookTest' }),
    answer: (_ctx, test) => test,
  }),
  commandRoute({
    method: 'post',
    path: '/webhooks/{webhook}/replay',
    operationId: 'replayWebhook',
    summary: 'Moves the webhook back in the log of changes, so that what follows is sent again; for owners.',
    tag: 'webhooks',
    command: replayWebhook,
    object: 'webhook',
    response: webhookSchema,
    answer: read,
  }),
  ...listRoutes<'organization', WebhookDeliveryRow>({
    path: '/webhooks/{webhook}/deliveries',
    name: 'WebhookDeliveries',
    read: 'webhookDeliveries',
    summary: 'Lists the tries to deliver changes to a webhook, oldest first; for owners.',
    tag: 'webhooks',
    access: 'organization',
    role: 'owner',
    errors: ['NOT_FOUND'],
    projection: { resource: webhookDeliveryResource, relations: [] },
    item: webhookDeliverySchema,
    list: listDeliveries,
    count: async (ctx, where, max, params) => {
      const { id } = await webhooks.get(ctx, params.webhook ?? '', []);
      return requireFound(await webhookDeliveries.counts(ctx, where, max).load(id));
    },
  }),
  commandRoute({
    method: 'post',
    path: '/webhooks/{webhook}/deliveries/{delivery}/retry',
    operationId: 'retryWebhookDelivery',
    summary: 'Sends the change of a try again now; for owners.',
    tag: 'webhooks',
    command: retryDelivery,
    object: 'delivery',
    within: 'webhook',
  }),
];

/** Checks a cursor before the webhook (interface/writes.md#order-of-checks). */
async function listDeliveries(ctx: MemberContext, input: ListInput, { params }: ListCall) {
  refuseCursorWithout(params.webhook, input);
  const id = parseUuid(params.webhook);
  return requireFound(id === null ? null : await webhookDeliveries.pages(ctx, input).load(id));
}
