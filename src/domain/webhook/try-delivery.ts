import type { TextSealer } from '../../kernel/sealed-text.ts';
import type { ChangeRow } from '../change/change-view.ts';
import type { EndpointAnswer, SendToEndpoint } from './endpoint.ts';
import { bodyOf } from './message.ts';
import { signedHeaders } from './signature.ts';
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

/** Where a webhook sends to. */
export interface Target {
  id: string;
  organization_id: string;
  url: string;
  /** The sealed secrets that sign, newest first. */
  secrets: string[];
}

/** Sends a change to a webhook, once. Takes no connection to the database. */
export async function tryDelivery(
  { sealer, sendToEndpoint }: DeliveryScope,
  { id, organization_id, url, secrets }: Target,
  change: ChangeRow,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const keys = openKeys(sealer, id, secrets);
  if (keys.length === 0) return unreadable;
  const body = bodyOf(change, organization_id);
  return await sendToEndpoint({ url, headers: signedHeaders(change.id, body, keys, new Date()), body }, signal);
}
