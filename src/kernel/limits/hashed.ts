import { createHash } from 'node:crypto';

/** The key of a counter: an address is personal data, and too long for the column. */
export function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
