import { defineEntity, p } from '@mikro-orm/core';
import type { Place } from '#log-places';
import { created_at, id, timestamp, updated_at } from '../../engine/columns.ts';
import type { ChangeKind, ChangeRow } from '../change/change.table.ts';
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
    kinds: p.array().$type<ChangeKind[]>(),
    description: p.string().length(500),
    status: p.enum(webhookStatuses),
    status_reason: p.string().length(500).strictNullable(),
    /** No foreign key: the webhook outlives the account. */
    created_by: p.uuid(),
    created_at: created_at(),
    updated_at: updated_at(),
    last_success_at: timestamp().strictNullable(),
    last_failure_at: timestamp().strictNullable(),
    /** How far it has read the log; null before everything. */
    place: p.json<Place>().strictNullable().hidden(),
    /** When a replay last moved it, or its kinds changed: a page that was read before then is dropped. */
    redirected_at: timestamp().strictNullable().hidden(),
    /** The height from which a replay last moved it back: there the replay ends. */
    replay_to: p.bigint('string').strictNullable().hidden(),
    /** How many attempts are logged; expired ones are counted until the log is trimmed. */
    logged: p.integer().default(0).hidden(),
    /** Whether there may be more to read. */
    unread: p.boolean().default(true).hidden(),
    /** The first failure since the last success; null if the last attempt succeeded. */
    failing_since: timestamp().strictNullable().hidden(),
    /** How many warnings were mailed since then: after an hour, and after a day. */
    warnings: p.smallint().default(0).hidden(),
    /** Whether the last attempts were each delivered within a second. */
    healthy: p.boolean().default(false).hidden(),
    /** Whether the last attempt had a response; true before the first one. */
    answering: p.boolean().default(true).hidden(),
  },
  indexes: [
    { name: 'webhook_organization_id_created_at_index', properties: ['organization_id', 'created_at', 'id'] },
    { name: 'webhook_failing_since_index', properties: ['failing_since'], where: '"failing_since" is not null' },
  ],
});

/** Sends the changes of an organization to a URL (note 0059). */
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
    replaced_at: timestamp().nullable(),
  },
  indexes: [{ name: 'webhook_secret_created_at_index', properties: ['webhook_id', 'created_at', 'id'] }],
});

export const deliveryStatuses = ['succeeded', 'failed'] as const;

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
    http_status: p.integer().strictNullable(),
    error: p.string().length(200).strictNullable(),
    response: p.string().length(1024).strictNullable(),
    duration_ms: p.integer(),
    created_at: created_at(),
    /** Null if it succeeded, was given up, or the webhook was disabled. */
    next_attempt_at: timestamp().strictNullable(),
    /** For sending it again: the log may not reach back as far. */
    change: p.json<ChangeRow>().hidden(),
    seq: p.bigint('string').hidden(),
  },
  indexes: [
    { name: 'webhook_delivery_created_at_id_index', properties: ['webhook_id', 'created_at', 'id'] },
    { name: 'webhook_delivery_change_id_index', properties: ['webhook_id', 'change_id'] },
    { name: 'webhook_delivery_created_at_index', properties: ['created_at'] },
  ],
});
