import { createHash, randomBytes } from 'node:crypto';

/** A token for a link that only its holder can know: 256 random bits. Store its hash alone, by {@link hashToken}. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token, and looked up. Nobody can guess 256 random bits, so a plain hash is safe. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
