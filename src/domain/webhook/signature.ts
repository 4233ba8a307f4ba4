import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A secret that signs deliveries, as receivers get it: `whsec_` and base64 of 32 random bytes. */
export function makeSigningSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`;
}

/** The key of a secret; for several messages, since making one takes longer than signing. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(prefix.length), 'base64');
}

/**
 * The headers of Standard Webhooks 1.0 for a message (interface/webhooks.md#signatures).
 *
 * @param keys each of them signs
 * @param at the time of this try: a receiver refuses messages that are minutes old
 */
export function signedHeaders(id: string, body: string, keys: readonly KeyObject[], at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
