import { createHmac, timingSafeEqual } from 'node:crypto';

/** `counter`: how many times the session's token had been rotated when this one was issued. */
export interface RefreshClaims {
  sessionId: string;
  counter: number;
}

const idLength = 16;
const bodyLength = idLength + 4;
const tokenLength = bodyLength + 32;
/** The counter column is a signed 32-bit integer. */
const maxCounter = 2 ** 31 - 1;

/**
 * Refresh tokens: base64url of the session's id, a counter, and an HMAC-SHA256 over both under a key of that session. The key
 * is derived from a secret and never stored, so that the database contains nothing usable. The successor can be derived too,
 * so that a retry gets the same one.
 */
export class RefreshTokens {
  readonly #secrets: [string, ...string[]];

  /** @param secrets newest first: the first issues, all verify, so that keys can rotate */
  constructor(secrets: string[]) {
    const [newest, ...older] = secrets;
    if (newest === undefined) throw new Error('At least one cookie secret is required.');
    this.#secrets = [newest, ...older];
  }

  /** Deterministic for the same secrets. */
  issue({ sessionId, counter }: RefreshClaims): string {
    const body = Buffer.alloc(bodyLength);
    body.write(sessionId.replaceAll('-', ''), 'hex');
    body.writeUInt32BE(counter, idLength);
    return Buffer.concat([body, sign(this.#secrets[0], body)]).toString('base64url');
  }

  /** Null if we did not issue it. */
  verify(token: string): RefreshClaims | null {
    const bytes = Buffer.from(token, 'base64url');
    // the decoder is lenient, but a token has one canonical text
    if (bytes.length !== tokenLength || bytes.toString('base64url') !== token) return null;
    const body = bytes.subarray(0, bodyLength);
    const tag = bytes.subarray(bodyLength);
    if (!this.#secrets.some((secret) => timingSafeEqual(sign(secret, body), tag))) return null;
    const counter = body.readUInt32BE(idLength);
    if (counter > maxCounter) return null;
    const hex = body.toString('hex', 0, idLength);
    const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    return { sessionId, counter };
  }
}

function sign(secret: string, body: Buffer): Buffer {
  // "refresh" separates this use of the secret from the signing of cookies
  const sessionKey = createHmac('sha256', secret).update('refresh').update(body.subarray(0, idLength)).digest();
  return createHmac('sha256', sessionKey).update(body).digest();
}
