import { Agent, request } from 'undici';
import type { ChangeRow } from '../../src/domain/change/change.table.ts';
import { bodyOf, signedHeaders } from '../../src/domain/webhook/delivery.ts';
import { makeSigningSecret, signingKey } from '../../src/domain/webhook/webhook-secrets.ts';

/** What the loop sends. */
export interface Posts {
  url: string;
  organization: string;
  changes: ChangeRow[];
}

/**
 * The limit for deliveries: a loop that signs the same bodies and sends as many at a time. It keeps its connections, records
 * nothing, and checks no address.
 */
const concurrency = 64;
const dispatcher = new Agent({ connections: concurrency });
const key = signingKey(makeSigningSecret());

process.on('message', async ({ url, organization, changes }: Posts) => {
  const queue = changes.values();
  const work = async () => {
    for (const change of queue) {
      const body = bodyOf(change, organization);
      const headers = { 'content-type': 'application/json', ...signedHeaders(change.id, body, [key], new Date()) };
      const answer = await request(url, { method: 'POST', headers, body, dispatcher });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  process.send?.({ sent: changes.length });
});
process.send?.({ port: 0 });
process.on('disconnect', () => process.exit(0));
