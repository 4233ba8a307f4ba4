import { createHmac, type KeyObject } from 'node:crypto';
import type { EndpointAnswer, SendToEndpoint } from '#endpoint-client';
import type { ChangeRow } from '../change/change.table.ts';

export interface Target {
  organization_id: string;
  url: string;
  /** The keys that sign, newest first; none if ENCRYPTION_KEY was replaced without encrypting the secrets again. */
  keys: readonly KeyObject[];
}

const unreadable: EndpointAnswer = {
  ...{ delivered: false, http_status: null, duration_ms: 0, response: null, retryAfter: null },
  error: 'the signing secret cannot be read; make a new one',
};

/** Makes one attempt to deliver a change. Uses no database connection. */
export async function tryDelivery(
  sendToEndpoint: SendToEndpoint,
  { organization_id, url, keys }: Target,
  change: ChangeRow,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  if (keys.length === 0) return unreadable;
  const body = bodyOf(change, organization_id);
  return await sendToEndpoint({ url, headers: signedHeaders(change.id, body, keys, new Date()), body }, signal);
}

export function typeOf({ kind, op }: ChangeRow): string {
  return `${kind}.${op}`;
}

/** The same text in each attempt (reference/webhooks.md#messages). */
export function bodyOf(change: ChangeRow, organizationId: string): string {
  const { id, kind, op, object_id, event_id, version, actor_id, occurred_at } = change;
  return JSON.stringify({
    type: typeOf(change),
    timestamp: occurred_at,
    // each key by name: jsonb keeps no order
    data: { id, kind, op, object_id, event_id, version, actor_id, occurred_at, organization_id: organizationId },
  });
}

/** Those of Standard Webhooks 1.0 (reference/webhooks.md#signatures). Receivers reject messages that are minutes old. */
export function signedHeaders(id: string, body: string, keys: readonly KeyObject[], at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
