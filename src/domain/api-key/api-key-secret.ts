import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hashToken } from '../../kernel/secret-token.ts';

/** Every secret begins with it, so that scanners of leaked secrets find it. */
export const keyMark = 'evk_';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^evk_[A-Za-z0-9_-]{43}[A-Za-z0-9]{6}$/;
const checksumLength = 6;
const prefixLength = 12;

/** A new secret (reference/api-keys.md#secret). Store only its hash and prefix. */
export function makeKeySecret(): string {
  const secret = keyMark + randomBytes(32).toString('base64url');
  return secret + checksum(secret);
}

export function prefixOf(secret: string): string {
  return secret.slice(0, prefixLength);
}

/** The stored hash; null if the checksum is wrong, so that a mistyped secret costs no query. */
export function hashKeySecret(token: string): string | null {
  if (!form.test(token)) return null;
  const secret = token.slice(0, -checksumLength);
  return checksum(secret) === token.slice(-checksumLength) ? hashToken(token) : null;
}

/** The CRC-32 of a text in base 62, the most significant digit first. */
function checksum(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let count = 0; count < checksumLength; count += 1) {
    written = digits.charAt(rest % 62) + written;
    rest = Math.floor(rest / 62);
  }
  return written;
}
