import { createHmac } from 'node:crypto';

/**
 * Derives the tokens of links to subscriptions from a secret of the service and a nonce in the link's row: every mail about a
 * subscription has the same link, and the database alone does not reveal it (note 0043).
 */
export class LinkTokens {
  readonly #key: Buffer;
  /** Identifies the secret without revealing it. */
  readonly keyId: string;

  /** @param secret links made with earlier ones stay valid, since they are found by their hash */
  constructor(secret: string) {
    // separates this use of the secret from all others
    this.#key = createHmac('sha256', secret).update('guest link').digest();
    this.keyId = createHmac('sha256', this.#key).update('key id').digest('base64url').slice(0, 16);
  }

  tokenOf(nonce: string): string {
    return createHmac('sha256', this.#key).update('token ').update(nonce).digest('base64url');
  }
}
