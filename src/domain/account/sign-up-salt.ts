import { createHmac } from 'node:crypto';
import { mailboxOf } from '#input-values';

/**
 * Derives the salt of a sign-up's password from its address: the same form sent twice gives the same hash, so comparing the
 * two costs one hash. Without the secret, nobody can compute the salt.
 */
export class SignUpSalts {
  readonly #key: Buffer;

  /** @param secret changing it changes all salts: the same form, sent before and after, counts as different */
  constructor(secret: string) {
    // separates this use of the secret from all others
    this.#key = createHmac('sha256', secret).update('sign-up salt').digest();
  }

  saltOf(email: string): Buffer {
    return createHmac('sha256', this.#key).update(mailboxOf(email)).digest().subarray(0, 16);
  }
}
