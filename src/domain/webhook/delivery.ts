import { createHmac, type KeyObject } from 'node:crypto';
import type { ChangeRow } from '../change/change.table.ts';

/** A request to the endpoint of a webhook. */
export interface EndpointRequest {
  url: string;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
}

/** The response of an endpoint, or why there is none. */
export interface EndpointAnswer {
  /** Whether a status of 2xx arrived in time. */
  delivered: boolean;
  /** Null if no answer arrived. */
  http_status: number | null;
  duration_ms: number;
  /** What went wrong, in words; null if it was delivered. */
  error: string | null;
  /** The beginning of the answer's body; null if there was no answer. */
  response: string | null;
  /** The seconds that an answer of 429 or 503 asks to wait. */
  retryAfter: number | null;
}

/**
 * The domain's port to the endpoints of webhooks, implemented in `src/outbound`. Never throws, except for the reason of
 * the signal if that aborts.
 */
export type SendToEndpoint = (request: EndpointRequest, signal?: AbortSignal) => Promise<EndpointAnswer>;

/** Where a webhook sends to. */
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

/** Sends a change to a webhook, once. Takes no connection to the database. */
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

/** The type of a message, for example `event.changed`. */
export function typeOf({ kind, op }: ChangeRow): string {
  return `${kind}.${op}`;
}

/** The body of a delivery: the same text in each attempt (reference/webhooks.md#messages). */
export function bodyOf(change: ChangeRow, organizationId: string): string {
  const { id, kind, op, object_id, event_id, version, actor_id, occurred_at } = change;
  return JSON.stringify({
    type: typeOf(change),
    timestamp: occurred_at,
    // jsonb keeps no order of keys
    data: { id, kind, op, object_id, event_id, version, actor_id, occurred_at, organization_id: organizationId },
  });
}

/**
 * The headers of Standard Webhooks 1.0 for a message (reference/webhooks.md#signatures).
 *
 * @param keys each of them signs
 * @param at the time of this attempt: a receiver refuses messages that are minutes old
 */
export function signedHeaders(id: string, body: string, keys: readonly KeyObject[], at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
