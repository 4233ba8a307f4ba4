import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../engine/columns.ts';
import { Webhook } from './webhook.entity.ts';

/** A secret that signs the deliveries of a webhook (interface/webhooks.md#signatures). */
export const WebhookSecret = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  properties: {
    id: id(),
    webhook_id: () => p.manyToOne(Webhook).mapToPk().deleteRule('cascade').index(false),
    /** Encrypted under ENCRYPTION_KEY. */
    sealed: p.text(),
    created_at: created_at(),
    /** When a newer one was made; it still signs for a day. */
    replaced_at: timestamp().nullable(),
  },
  indexes: [{ name: 'webhook_secret_created_at_index', properties: ['webhook_id', 'created_at', 'id'] }],
});
