import type { InferEntity } from '@mikro-orm/core';
import type { ListResource } from '../../engine/list/resource.ts';
import { changeKinds, changeTypes } from '../change/change.table.ts';
import { field } from '../nouns/nouns.ts';
import { deliveryStatuses, type Webhook, type WebhookDelivery, webhookStatuses } from './webhook.entity.ts';

/** How many undelivered changes are counted. */
export const countedPending = 1_000;

const fields = {
  id: field.id('webhook', 'Identifier of the webhook.'),
  url: field.text('Where changes are sent.'),
  kinds: field.choices(changeKinds, 'The kinds of changes that are sent.'),
  description: field.text('Its purpose, in the words of the owners.'),
  status: field.choice(webhookStatuses, 'Whether it sends: `paused` by hand, `disabled` by failures.'),
  status_reason: field.text('Why it is disabled, in words.', { nullable: true }),
  pending: field.number(`How many changes are not delivered yet, counted to ${countedPending}.`),
  created_by: field.id('user', 'The user who created it.', { filter: false }),
  created_at: field.timestamp('When it was created.'),
  updated_at: field.timestamp('When an owner last changed it.'),
  last_success_at: field.timestamp('When a change was last delivered.', { nullable: true, filter: false }),
  last_failure_at: field.timestamp('When an attempt last failed.', { nullable: true, filter: false }),
};

/** A webhook as owners see it. */
export type WebhookRow = Pick<Webhook, Exclude<keyof typeof fields, 'pending'>> & { pending: number };

export const webhookResource: ListResource<keyof typeof fields> = {
  name: 'webhook',
  table: 'webhook',
  order: 'created_at',
  fields,
};

export const webhookColumns = Object.keys(fields) as (keyof WebhookRow)[];

const deliveryFields = {
  id: field.id('webhook_delivery', 'Identifier of the attempt.', { filter: false }),
  change_id: field.anyId('The change; `webhook-id` in each of its attempts.'),
  type: field.choice(changeTypes, 'The type of the message, for example `event.changed`.', { filter: false }),
  attempt: field.number('Which attempt to deliver the change it was, from 1.'),
  status: field.choice(deliveryStatuses, 'Whether the endpoint answered with a status of 2xx in time.'),
  http_status: field.number('The status of the answer; null if there was none.', { nullable: true }),
  error: field.text('What went wrong, in words; null if it succeeded.', { nullable: true }),
  response: field.text('The beginning of the answer, up to 1 KiB; null if there was none.', { nullable: true }),
  duration_ms: field.number('Milliseconds until the answer began, or until the attempt was given up.'),
  created_at: field.timestamp('When the attempt ended.'),
  next_attempt_at: field.timestamp('When the next attempt was due; null if there is no automatic one.', {
    nullable: true,
    filter: false,
  }),
};

/** An attempt to deliver a change as owners see it. `webhook_id` is read only if an API asks for the webhook. */
export type WebhookDeliveryRow = Pick<InferEntity<typeof WebhookDelivery>, keyof typeof deliveryFields | 'webhook_id'>;

export const webhookDeliveryResource: ListResource<keyof typeof deliveryFields> = {
  name: 'webhook_delivery',
  table: 'webhook_delivery',
  order: 'created_at',
  fields: deliveryFields,
};
