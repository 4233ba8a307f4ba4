import { z } from 'zod';
import { changeKinds, changeOps } from '../../domain/change/change.table.ts';
import type { WebhookMessage } from '../server/openapi.ts';
import { changeSchema } from './changes.routes.ts';

/** A message names the object only. */
const { object: _, ...changeFields } = changeSchema.shape;

const timestamp = z.iso.datetime({ precision: 3 });

const exampleTime = '2031-05-03T08:00:00.000Z';
const exampleEvent = '01a20410-d958-792a-9c68-30502c8b9c20';

/** What webhooks are sent (reference/webhooks.md#messages), for OpenAPI. */
export const webhookMessages: WebhookMessage[] = [
  ...changeKinds.map((kind) => ({
    name: kind,
    operationId: `receive${capital(kind)}Change`,
    summary: `A change of ${kind === 'event' ? 'an event' : `a ${kind}`}.`,
    schema: z
      .strictObject({
        type: z.enum(changeOps.map((op) => `${kind}.${op}` as const)),
        timestamp: timestamp.meta({ description: 'When the change happened.' }),
        data: z.strictObject({ ...changeFields, kind: z.literal(kind), organization_id: z.guid() }),
      })
      .meta({ id: `${capital(kind)}Message` }),
    example: {
      type: `${kind}.changed`,
      timestamp: exampleTime,
      data: {
        id: '01a2041f-bf02-7341-bb43-490e65f395cf',
        kind,
        op: 'changed',
        object_id: exampleEvent,
        event_id: kind === 'subscription' ? '01a2041e-a20d-7542-aa60-c9f627881280' : exampleEvent,
        version: kind === 'subscription' ? null : 2,
        actor_id: '019b77bb-e161-7790-8f80-50510b3c56de',
        occurred_at: exampleTime,
        organization_id: '019b7739-16c4-713d-922e-37c3d4317409',
      },
    },
  })),
  {
    name: 'ping',
    operationId: 'receivePing',
    summary: 'The message of `POST /webhooks/{webhook}/test`.',
    schema: z
      .strictObject({ type: z.literal('ping'), timestamp, data: z.strictObject({}) })
      .meta({ id: 'PingMessage' }),
    example: { type: 'ping', timestamp: exampleTime, data: {} },
  },
];

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
