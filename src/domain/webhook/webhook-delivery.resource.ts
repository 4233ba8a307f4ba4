import type { ListResource } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import { type DeliveryStatus, deliveryStatuses } from './webhook-delivery.table.ts';

/** A try to deliver a change as owners see it. */
export interface WebhookDeliveryRow {
  id: string;
  change_id: string;
  type: string;
  attempt: number;
  status: DeliveryStatus;
  http_status: number | null;
  error: string | null;
  response: string | null;
  duration_ms: number;
  created_at: string;
  next_attempt_at: string | null;
}

/** The fields of tries, and how each can be queried. */
export const webhookDeliveryResource: ListResource<keyof WebhookDeliveryRow> = {
  name: 'webhook_delivery',
  table: 'webhook_delivery',
  order: 'created_at',
  fields: {
    id: field.id('webhook_delivery', 'Identifier of the try.', { filter: false }),
    change_id: field.anyId('The change; `webhook-id` in each of its tries.'),
    type: field.text('What was sent, for example `event.changed`.'),
    attempt: field.number('Which try of the change it was, from 1.'),
    status: field.choice(deliveryStatuses, 'Whether the endpoint answered with a status of 2xx in time.'),
    http_status: field.number('The status of the answer; null if there was none.', { nullable: true }),
    error: field.text('What went wrong, in words; null if it succeeded.', { nullable: true }),
    response: field.text('The beginning of the answer, up to 1 KiB; null if there was none.', { nullable: true }),
    duration_ms: field.number('Milliseconds until the answer began, or until the try was given up.'),
    created_at: field.timestamp('When the try ended.'),
    next_attempt_at: field.timestamp('When the change was to be tried again; null if not by itself.', {
      nullable: true,
      filter: false,
    }),
  },
};
