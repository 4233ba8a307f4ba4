import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hashKeySecret, keyMark, makeKeySecret, prefixOf } from '../../src/domain/api-key/api-key-secret.ts';

const digits = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const numberOf = (text: string) => [...text].reduce((sum, each) => sum * 62 + digits.indexOf(each), 0);

describe('the secret of an API key', () => {
  test('is a mark, 32 random bytes and a checksum of both', () => {
    for (let round = 0; round < 200; round += 1) {
      const secret = makeKeySecret();
      expect(secret).toMatch(/^evk_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/);
      expect(Buffer.from(secret.slice(4, 47), 'base64url')).toHaveLength(32);
      expect(numberOf(secret.slice(47))).toBe(crc32(secret.slice(0, 47)));
      expect(hashKeySecret(secret)).toBe(createHash('sha256').update(secret).digest('base64url'));
      expect([secret.startsWith(keyMark), prefixOf(secret)]).toEqual([true, secret.slice(0, 12)]);
    }
  });

  test('pads its checksum with zeros', () => {
    // found by search: its CRC-32 is below 62 ** 5
    const texts = Array.from({ length: 500 }, (_, n) => `evk_${String(n).padStart(43, 'A')}`);
    const small = texts.find((text) => crc32(text) < 62 ** 5) as string;
    const checksum = [4, 3, 2, 1, 0].map((power) => digits[Math.floor(crc32(small) / 62 ** power) % 62]).join('');
    expect(hashKeySecret(`${small}0${checksum}`)).not.toBeNull();
    expect(hashKeySecret(`${small}${checksum}`)).toBeNull();
  });

  test('has no hash with a slip in any place', () => {
    const secret = makeKeySecret();
    for (let at = 4; at < secret.length; at += 1) {
      const slip = secret.slice(0, at) + (secret[at] === 'x' ? 'y' : 'x') + secret.slice(at + 1);
      expect(hashKeySecret(slip)).toBeNull();
    }
    for (const text of ['evk_', secret.slice(0, -1), `${secret}0`, `EVK${secret.slice(3)}`, '']) {
      expect(hashKeySecret(text)).toBeNull();
    }
  });
});
