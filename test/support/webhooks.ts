import { afterEach, expect, vi } from 'vitest';
import type { WebhookDeliveryRow, WebhookRow } from '../../src/domain/webhook/webhook.resource.ts';
import { logChange } from './log-change.ts';
import { type Received, type Receiver, type Respond, startedReceiver } from './receiver.ts';
import { send } from './send.ts';
import { createTeam, type Person, type TestServer } from './server.ts';

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
  const path = `GET /webhooks/${webhook.id}/deliveries`;
  return await vi.waitFor(
    async () => {
      const answer = await send<{ items: WebhookDeliveryRow[] }>(server, owner, path);
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
export async function passTime({ execute, services }: TestServer, { id }: { id: string }): Promise<void> {
  const waiting = "where lane = 'deliveries' and party = ? and not claimed";
  await execute(`update job set due_at = date_trunc('milliseconds', now()) ${waiting}`, [id]);
  services.jobs.nudge('deliveries');
}

/** Organizations with webhooks to receivers on this machine, which end with each test. */
export function webhookWorld(server: TestServer) {
  const { execute } = server;

  afterEach(() => execute(`update webhook set status = 'paused'`));

  /** An organization with a webhook to a receiver that answers so. */
  async function subscriber(respond?: Respond, fields: Record<string, unknown> = {}, options?: { host: string }) {
    const target = await startedReceiver(respond, options);
    const { owner, organizationId } = await createTeam(server);
    const webhook = await createWebhook(server, owner, { url: target.url, ...fields });
    const log = (change?: Parameters<typeof logChange>[2]) => logChange(server, organizationId, change);
    return {
      ...{ target, owner, organizationId, webhook, log },
      change: (fields: object) => send(server, owner, `PATCH /webhooks/${webhook.id}`, fields),
      replay: (since: string) => send(server, owner, `POST /webhooks/${webhook.id}/replay`, { since }),
      /** What the owner is shown now. */
      shown: () => readWebhook(server, owner, webhook),
      /** Its log, once it has so many entries. */
      deliveries: (count: number) => deliveriesOf(server, owner, webhook, count),
      hurry: () => passTime(server, webhook),
    };
  }

  /** Writes many changes of different objects to the log of an organization. */
  const logMany = (organizationId: string, count: number) =>
    execute(
      `insert into change (organization_id, x, id, kind, op, object_id, occurred_at)
        select ?, pg_current_xact_id(), gen_random_uuid(), 'event', 'changed', gen_random_uuid(), clock_timestamp()
        from generate_series(1, ?::int)`,
      [organizationId, count],
    );

  /** Waits until two changes logged after this have reached another webhook: whatever was due before was sent, too. */
  async function laterDeliveries(): Promise<void> {
    const { owner, webhook, log } = await subscriber();
    for (let count = 1; count <= 2; count += 1) {
      await log();
      await deliveriesOf(server, owner, webhook, count);
    }
  }

  return { execute, receiver: startedReceiver, subscriber, logMany, laterDeliveries };
}

/** Answers with these statuses by turns, the last one for ever. */
export function statuses(...given: number[]): Respond {
  let index = 0;
  return (response) => void response.writeHead(given[Math.min(index++, given.length - 1)] as number).end();
}
