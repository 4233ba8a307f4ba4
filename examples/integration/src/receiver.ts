import { createServer } from 'node:http';
import type { Client } from 'events-gateway-client';
import { verifyWebhook } from 'events-gateway-client/webhooks';

interface Message {
  type: string;
  data: { object_id: string };
}

/** Receives what a webhook sends, and refuses what it did not sign. */
export async function startReceiver(port: number, secret: string, onMessage: (message: Message) => void) {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    try {
      onMessage(await verifyWebhook<Message>(body, new Headers(request.headers as Record<string, string>), secret));
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return server;
}

/** Asks for all that the receiver missed, now and in order, whatever the webhook's status; with a key made with `webhooks`. */
export async function resume(client: Client, webhook: string): Promise<void> {
  for (const status of ['paused', 'active'] as const) {
    await client.patch('/webhooks/{webhook}', { params: { path: { webhook } }, body: { status } });
  }
}
