import type { TextSealer } from '../../kernel/sealed-text.ts';
import type { ChangeRow } from '../change/change-view.ts';
import type { EndpointAnswer, SendToEndpoint } from './endpoint.ts';
import { bodyOf } from './message.ts';
import { signedHeaders } from './signature.ts';
import type { Turn } from './turns.ts';
import { openKeys } from './webhook-secrets.ts';

export interface DeliveryScope {
  sealer: TextSealer;
  sendToEndpoint: SendToEndpoint;
}

/** No key opens the secrets: ENCRYPTION_KEY was replaced without encrypting them again. */
const unreadable: EndpointAnswer = {
  ...{ delivered: false, http_status: null, duration_ms: 0, response: null, retryAfter: null },
  error: 'the signing secret cannot be read; make a new one',
};

/** Makes what sends changes to a webhook during a turn, one try each. Takes no connection to the database. */
export function endpointOf(
  { sealer, sendToEndpoint }: DeliveryScope,
  { webhook_id, organization_id, url, secrets }: Turn,
): (change: ChangeRow, signal: AbortSignal) => Promise<EndpointAnswer> {
  const keys = openKeys(sealer, webhook_id, secrets);
  return async (change, signal) => {
    if (keys.length === 0) return unreadable;
    const body = bodyOf(change, organization_id);
    return await sendToEndpoint({ url, headers: signedHeaders(change.id, body, keys, new Date()), body }, signal);
  };
}
