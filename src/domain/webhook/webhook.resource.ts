import type { ListResource } from '../../engine/list/resource.ts';
import { changeKinds } from '../change/change.table.ts';
import { field } from '../nouns/nouns.ts';
import { type Webhook, webhookStatuses } from './webhook.entity.ts';

/** How many undelivered changes are counted. */
export const countedPending = 1_000;

/** A webhook as owners see it. */
export interface WebhookRow
  extends Pick<
    Webhook,
    | 'id'
    | 'url'
    | 'kinds'
    | 'description'
    | 'status'
    | 'status_reason'
    | 'created_by'
    | 'created_at'
    | 'updated_at'
    | 'last_success_at'
    | 'last_failure_at'
  > {
  pending: number;
}

/** The fields of webhooks, and how each can be queried. */
export const webhookResource: ListResource<keyof WebhookRow> = {
  name: 'webhook',
  table: 'webhook',
  order: 'created_at',
  fields: {
    id: field.id('webhook', 'Identifier of the webhook.'),
    url: field.text('Where changes are sent.'),
    kinds: field.choices(changeKinds, 'The kinds of changes that are sent.'),
    description: field.text('What it is for, in the words of the owners.'),
    status: field.choice(webhookStatuses, 'Whether it sends: `paused` by hand, `disabled` by failures.'),
    status_reason: field.text('Why it is disabled, in words.', { nullable: true }),
    pending: field.number(`How many changes are not delivered yet, counted to ${countedPending}.`),
    created_by: field.id('user', 'The user who created it.', { filter: false }),
    created_at: field.timestamp('When it was created.'),
    updated_at: field.timestamp('When an owner last changed it.'),
    last_success_at: field.timestamp('When a change was last delivered.', { nullable: true, filter: false }),
    last_failure_at: field.timestamp('When a try last failed.', { nullable: true, filter: false }),
  },
};

export const webhookColumns = Object.keys(webhookResource.fields) as (keyof WebhookRow)[];
