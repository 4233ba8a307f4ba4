import { expect, vi } from 'vitest';
import type { WebhookDeliveryRow, WebhookRow } from '../../src/domain/webhook/webhook.resource.ts';
import type { Received, Receiver } from './receiver.ts';
import { send } from './send.ts';
import type { Person, TestServer } from './server.ts';

export type CreatedWebhook = WebhookRow & { secret: string };

/** Lets webhooks reach receivers on this machine. */
export const allowLoopback = { WEBHOOK_ALLOW: '127.0.0.0/8' };

/** Creates a webhook by REST. */
export async function createWebhook(
  server: { url: string },
  owner: Person,
  fields: Record<string, unknown>,
): Promise<CreatedWebhook> {
  const made = await send<CreatedWebhook>(server, owner, 'POST /webhooks', fields);
  expect(made.status, made.text).toBe(201);
  return made.body;
}

/** A message as a receiver reads it. */
export interface Message {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export const messageOf = ({ text }: Received) => JSON.parse(text) as Message;

/** What a receiver got, once it is as much as expected. */
export async function messagesOf(receiver: Receiver, count: number, timeout = 30_000): Promise<Message[]> {
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count), { timeout, interval: 10 });
  return receiver.received.map(messageOf);
}

/** The log of a webhook, oldest first, once it has so many entries. */
export async function deliveriesOf(server: { url: string }, owner: Person, webhook: { id: string }, count = 0) {
  return await vi.waitFor(
    async () => {
      const answer = await send<{ items: WebhookDeliveryRow[] }>(
        server,
        owner,
        `GET /webhooks/${webhook.id}/deliveries`,
      );
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.items.length).toBeGreaterThanOrEqual(count);
      return answer.body.items;
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** A webhook as it is now. */
export async function readWebhook(server: { url: string }, owner: Person, { id }: { id: string }): Promise<WebhookRow> {
  const answer = await send<WebhookRow>(server, owner, `GET /webhooks/${id}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Makes everything that waits for its next try due now, as if the time had passed. */
export async function passTime({ orm, services }: TestServer, { id }: { id: string }): Promise<void> {
  await orm.em
    .fork()
    .execute(
      "update job set due_at = date_trunc('milliseconds', now()) where lane = 'deliveries' and party = ? and not claimed",
      [id],
    );
  services.jobs.nudge('deliveries');
}
