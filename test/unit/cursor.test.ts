import { createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindCursor, CursorCodec, neighbour, type Position } from '../../src/engine/cursor.ts';

const secret = 'a secret of the test, newest first';
const older = 'an older secret that still opens its own';
const codec = new CursorCodec([secret]);
const binding = bindCursor('organization', 'event', '', 'date_start', 'and()');
const position: Position = { time: Date.parse('2026-03-04T05:06:07.089Z'), id: '0199b5a0-7c3a-7000-8000-0123456789ab' };

const positions = fc.record({
  time: fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
  id: fc.uuid(),
  before: fc.constantFrom(undefined, 1 as const, -1 as const),
});

describe('a cursor', () => {
  it('opens to the position that was sealed, whatever it is', () => {
    fc.assert(
      fc.property(positions, (each) => {
        const opened = codec.open(codec.seal(each, binding), binding);
        expect(opened).toEqual(each.before === undefined ? { time: each.time, id: each.id } : each);
      }),
    );
  });

  it('is sealed by HMAC-SHA-256 over the binding and what comes before the seal', () => {
    const bytes = Buffer.from(codec.seal(position, binding), 'base64url');
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'events-gateway cursor', 32));
    const mac = createHmac('sha256', key).update(binding, 'latin1').update(bytes.subarray(0, 29)).digest();
    expect(bytes.subarray(29)).toEqual(mac.subarray(0, 16));
  });

  it('is the same text for the same position and binding', () => {
    expect(codec.seal(position, binding)).toBe(new CursorCodec([secret, older]).seal({ ...position }, binding));
  });

  it('differs by direction of the page that it was taken from', () => {
    const tokens = [undefined, 1 as const, -1 as const].map((before) => codec.seal({ ...position, before }, binding));
    expect(new Set(tokens).size).toBe(3);
  });

  it('is refused under every other binding', () => {
    const token = codec.seal(position, binding);
    const parts = ['organization', 'event', '', 'date_start', 'and()'];
    for (const index of parts.keys()) {
      expect(codec.open(token, bindCursor(...parts.with(index, 'another')))).toBeNull();
    }
  });

  it('is refused if any one bit differs', () => {
    const bytes = Buffer.from(codec.seal(position, binding), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(codec.open(forged.toString('base64url'), binding)).toBeNull();
    }
  });

  it('is refused if it is cut, lengthened or written in another alphabet', () => {
    const token = codec.seal(position, binding);
    for (let length = 0; length < token.length; length += 1)
      expect(codec.open(token.slice(0, length), binding)).toBeNull();
    for (const wrong of [`${token}A`, `${token}=`, ` ${token}`, `${token}\n`, `${token}${token}`, '{}', 'null']) {
      expect(codec.open(wrong, binding)).toBeNull();
    }
    const plus = codec
      .seal({ ...position, time: position.time + 3 }, binding)
      .replaceAll('-', '+')
      .replaceAll('_', '/');
    if (/[+/]/.test(plus)) expect(codec.open(plus, binding)).toBeNull();
  });

  it('opens with an older secret of the list, and no more once that is gone', () => {
    const token = new CursorCodec([older]).seal(position, binding);
    expect(new CursorCodec([secret, older]).open(token, binding)).toEqual(position);
    expect(codec.open(token, binding)).toBeNull();
  });
});

describe('neighbour', () => {
  const key = (each: Position) => (BigInt(each.time) << 128n) + BigInt(`0x${each.id.replaceAll('-', '')}`);

  it('is the very next key in ascending order, and its inverse leads back', () => {
    fc.assert(
      fc.property(positions, ({ time, id }) => {
        const next = neighbour({ time, id }, 1);
        expect(key(next) - key({ time, id })).toBe(1n);
        expect(neighbour(next, -1)).toEqual({ time, id });
      }),
    );
  });

  it('carries into the time if the id is the greatest', () => {
    const last = { time: 5, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
    expect(neighbour(last, 1)).toEqual({ time: 6, id: '00000000-0000-0000-0000-000000000000' });
  });
});
