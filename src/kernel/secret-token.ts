import { createHash, randomBytes } from 'node:crypto';

/** A secret token for a link: 256 random bits. Store only its hash, see {@link hashToken}. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash that a token is stored and looked up by. Nobody can guess 256 random bits, so a plain hash is safe. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
