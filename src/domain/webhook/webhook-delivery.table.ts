import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../engine/columns.ts';
import type { ChangeRow } from '../change/change-view.ts';
import { Webhook } from './webhook.entity.ts';

export const deliveryStatuses = ['succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One try to deliver a change (interface/webhooks.md#deliveries). */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    id: id(),
    webhook_id: () => p.manyToOne(Webhook).mapToPk().deleteRule('cascade').index(false),
    change_id: p.uuid(),
    type: p.string().length(40),
    attempt: p.integer(),
    status: p.enum(deliveryStatuses),
    http_status: p.integer().nullable(),
    error: p.string().length(200).nullable(),
    response: p.string().length(1024).nullable(),
    duration_ms: p.integer(),
    created_at: created_at(),
    /** Null if it succeeded, was given up, or the webhook was disabled. */
    next_attempt_at: timestamp().nullable(),
    /** What was sent, for sending it again: the log may not reach back as far. */
    change: p.json<ChangeRow>().hidden(),
    seq: p.bigint('string').hidden(),
  },
  indexes: [
    { name: 'webhook_delivery_created_at_id_index', properties: ['webhook_id', 'created_at', 'id'] },
    { name: 'webhook_delivery_change_id_index', properties: ['webhook_id', 'change_id'] },
    { name: 'webhook_delivery_created_at_index', properties: ['created_at'] },
  ],
});
