import { createHmac, hash, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SealingKeys } from '../src/index.ts';
import { SipHash } from '../src/sip-hash.ts';

const secret = 'a secret of the test, newest first';
const older = 'an older secret that still opens its own';
const bound = (...secrets: string[]) => new SealingKeys(secrets, 'test').bind('a list');
const seal = bound(secret);
const body = Buffer.from('a position of the test');

describe('a sealed token', () => {
  it('opens to its type and body, whatever they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.uint8Array(), (type, bytes) => {
        expect(seal.open(seal.seal(type, bytes))).toEqual({ type, body: Buffer.from(bytes) });
      }),
    );
  });

  it('has the layout of the README', () => {
    const bytes = Buffer.from(seal.seal(7, body), 'base64url');
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `test ${purpose}`, 32));
    const key = createHmac('sha256', derive('keys of cursors')).update('a list').digest().subarray(0, 16);
    const code = Buffer.alloc(16);
    new SipHash(key).write(bytes.subarray(0, -16), code, 0);
    expect(bytes.subarray(0, 4)).toEqual(hash('sha256', derive('cursor'), 'buffer').subarray(0, 4));
    expect(bytes.subarray(4, -16)).toEqual(Buffer.concat([Buffer.of(7), body]));
    expect(bytes.subarray(-16)).toEqual(code);
  });

  it('is the same text for the same bytes in the same scope', () => {
    expect(seal.seal(1, body)).toBe(bound(secret, older).seal(1, Buffer.from(body)));
  });

  it('is refused in another scope and another namespace', () => {
    const token = seal.seal(1, body);
    expect(new SealingKeys([secret], 'test').bind('another').open(token)).toBeNull();
    expect(new SealingKeys([secret], 'other').bind('a list').open(token)).toBeNull();
  });

  it('is refused if any one bit differs', () => {
    const bytes = Buffer.from(seal.seal(1, body), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(seal.open(forged.toString('base64url')), `bit ${bit}`).toBeNull();
    }
  });

  it('is refused if it is cut, lengthened or written in another alphabet', () => {
    const token = seal.seal(1, body);
    for (let length = 0; length < token.length; length += 1) expect(seal.open(token.slice(0, length))).toBeNull();
    for (const wrong of [`${token}A`, `${token}=`, ` ${token}`, `${token}\n`, `${token}${token}`, '{}', 'null']) {
      expect(seal.open(wrong)).toBeNull();
    }
    // 0xfb, 0xff: two characters that the alphabets differ in
    const other = seal.seal(0xfb, Buffer.alloc(9, 0xff)).replaceAll('-', '+').replaceAll('_', '/');
    expect(other).toMatch(/[+/]/);
    expect(seal.open(other)).toBeNull();
  });

  it('opens with an older secret of the list, and no more once that is gone', () => {
    const token = bound(older).seal(1, body);
    expect(bound(secret, older).open(token)).toEqual({ type: 1, body });
    expect(seal.open(token)).toBeNull();
  });

  it('needs a secret', () => {
    expect(() => new SealingKeys([], 'test')).toThrow('needs a secret');
  });
});
