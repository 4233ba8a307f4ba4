import type { TextSealer } from '../../kernel/sealed-text.ts';
import type { EndpointAnswer, SendToEndpoint } from './endpoint.ts';
import { bodyOf } from './message.ts';
import { signedHeaders } from './signature.ts';
import type { ClaimedChange } from './webhook-queue.ts';
import { openSecrets } from './webhook-secrets.ts';

export interface DeliveryScope {
  sealer: TextSealer;
  sendToEndpoint: SendToEndpoint;
}

/** No key opens the secrets: ENCRYPTION_KEY was replaced without encrypting them again. */
const unreadable: EndpointAnswer = {
  ...{ delivered: false, http_status: null, duration_ms: 0, response: null, retryAfter: null },
  error: 'the signing secret cannot be read; make a new one',
};

/** Sends a claimed change. Takes no connection to the database. */
export async function tryDelivery(
  { sealer, sendToEndpoint }: DeliveryScope,
  { webhook_id, organization_id, url, secrets: sealed, change }: ClaimedChange,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const secrets = openSecrets(sealer, webhook_id, sealed);
  if (secrets.length === 0) return unreadable;
  const body = bodyOf(change, organization_id);
  return await sendToEndpoint({ url, headers: signedHeaders(change.id, body, secrets, new Date()), body }, signal);
}
