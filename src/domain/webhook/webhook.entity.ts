import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp, updated_at } from '../../engine/columns.ts';
import type { ChangeKind, ChangeRow } from '../change/change.table.ts';
import type { Place } from '../change/place.ts';
import { Organization } from '../organization/organization.entity.ts';

/** `paused` by hand, `disabled` by failures (reference/webhooks.md#status). */
export const webhookStatuses = ['active', 'paused', 'disabled'] as const;

export const WebhookSchema = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  properties: {
    id: id(),
    organization_id: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(false),
    url: p.string().length(2000),
    /** The kinds of changes that it is about. */
    kinds: p.array().$type<ChangeKind[]>(),
    description: p.string().length(500),
    status: p.enum(webhookStatuses),
    /** Why it is disabled, in words. */
    status_reason: p.string().length(500).strictNullable(),
    /** No foreign key: it outlives its maker's account. */
    created_by: p.uuid(),
    created_at: created_at(),
    updated_at: updated_at(),
    last_success_at: timestamp().strictNullable(),
    last_failure_at: timestamp().strictNullable(),
    /** How far it has read the log of changes; null before everything. */
    place: p.json<Place>().strictNullable().hidden(),
    /** When a replay last moved it, or its kinds changed: a page that was read before does not move it any more. */
    redirected_at: timestamp().strictNullable().hidden(),
    /** Where a replay ends: the place from which one last moved it back; null before the first one. */
    replay_to: p.bigint('string').strictNullable().hidden(),
    /** How many attempts the log has at most: those that expired are counted until it is trimmed. */
    logged: p.integer().default(0).hidden(),
    /** Whether it is known that there is more to read, or whether nobody knows. */
    unread: p.boolean().default(true).hidden(),
    /** The first failure since the last success; null if the last attempt succeeded. */
    failing_since: timestamp().strictNullable().hidden(),
    /** How many mails warned the owners since then: after an hour, and after a day. */
    warnings: p.smallint().default(0).hidden(),
    /** Whether the last attempts were delivered, and none took longer than a second. */
    healthy: p.boolean().default(false).hidden(),
    /** Whether the last attempt had an answer of any kind; true before the first one. */
    answering: p.boolean().default(true).hidden(),
  },
  indexes: [
    { name: 'webhook_organization_id_created_at_index', properties: ['organization_id', 'created_at', 'id'] },
    {
      name: 'webhook_failing_since_index',
      expression:
        'create index "webhook_failing_since_index" on "webhook" ("failing_since") where "failing_since" is not null',
    },
  ],
});

/** Where to send what changes in an organization, and how far that has been done (note 0059). */
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);

/** A secret that signs the deliveries of a webhook (reference/webhooks.md#signatures). */
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

export const deliveryStatuses = ['succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One attempt to deliver a change (reference/webhooks.md#deliveries). */
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
    /** The message, for sending it again: the log may not reach back as far. */
    change: p.json<ChangeRow>().hidden(),
    seq: p.bigint('string').hidden(),
  },
  indexes: [
    { name: 'webhook_delivery_created_at_id_index', properties: ['webhook_id', 'created_at', 'id'] },
    { name: 'webhook_delivery_change_id_index', properties: ['webhook_id', 'change_id'] },
    { name: 'webhook_delivery_created_at_index', properties: ['created_at'] },
  ],
});
