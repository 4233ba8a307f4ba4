import type { components } from './rest-types.ts';

type Schemas = components['schemas'];

/** A message to a webhook; `type` says which. */
export type WebhookMessage =
  | Schemas['EventMessage']
  | Schemas['FormMessage']
  | Schemas['SubscriptionMessage']
  | (Omit<Schemas['PingMessage'], 'data'> & { data: object });

/** A webhook's message that must not be trusted. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** The headers of a request: `Headers`, or the object of Node.js, whose names are in lower case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Seconds by which the clock of the sender may differ, and after which a message is too old. */
const tolerance = 300;

/**
 * Verifies a message of a webhook (Standard Webhooks) and returns its content.
 *
 * @param body the bytes as they were received, or their text
 * @param secret `whsec_…`; several while it rotates
 * @throws WebhookVerificationError if the message must not be trusted; TypeError if the secret cannot be one
 */
export async function verifyWebhook<Message = WebhookMessage>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): Promise<Message> {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!secrets?.length || !secrets.every((each) => each?.startsWith('whsec_'))) {
    throw new TypeError('A secret must begin with `whsec_`.');
  }
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => read(headers, `webhook-${name}`));
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('A header is missing.');
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!(age <= tolerance)) throw new WebhookVerificationError('The message is too old, or from the future.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [bytesOf(each.slice(3))] : []));
  for (const each of secrets) {
    const raw = bytesOf(each.replace(/^whsec_/, ''));
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of given) {
      // compares in constant time
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text) as Message;
    }
  }
  throw new WebhookVerificationError('No signature is right.');
}

function read(headers: WebhookHeaders, name: string): string | null {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
