import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits. Store only the {@link hashToken}. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Nobody can guess 256 random bits, so a plain hash is safe. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
