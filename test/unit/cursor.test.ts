import { createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SipHash } from '#sip-hash';
import { CursorCodec } from '../../src/engine/cursor.ts';
import { neighbour, type Position } from '../../src/engine/position.ts';

const secret = 'a secret of the test, newest first';
const older = 'an older secret that still opens its own';
const list = ['organization', 'event', '', 'date_start', 'and()'];
const bound = (...secrets: string[]) => new CursorCodec(secrets).bind(...list);
const cursors = bound(secret);
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
        const opened = cursors.open(cursors.seal(each));
        expect(opened).toEqual(each.before === undefined ? { time: each.time, id: each.id } : each);
      }),
    );
  });

  it('is sealed by SipHash, under a key for its list that is derived from the secret', () => {
    const bytes = Buffer.from(cursors.seal(position), 'base64url');
    const keys = Buffer.from(hkdfSync('sha256', secret, '', 'events-gateway keys of cursors', 32));
    const key = createHmac('sha256', keys).update(JSON.stringify(list)).digest().subarray(0, 16);
    const code = Buffer.alloc(16);
    new SipHash(key).write(bytes.subarray(0, 29), code, 0);
    expect(bytes.toString('hex', 4, 29)).toBe('300000019cb73d3271' + '0199b5a07c3a700080000123456789ab');
    expect(bytes.subarray(29)).toEqual(code);
  });

  it('is the same text for the same position in the same list', () => {
    expect(cursors.seal(position)).toBe(bound(secret, older).seal({ ...position }));
  });

  it('differs by direction of the page that it was taken from', () => {
    const tokens = [undefined, 1 as const, -1 as const].map((before) => cursors.seal({ ...position, before }));
    expect(new Set(tokens).size).toBe(3);
  });

  it('is refused in every other list', () => {
    const token = cursors.seal(position);
    for (const index of list.keys()) {
      expect(new CursorCodec([secret]).bind(...list.with(index, 'another')).open(token)).toBeNull();
    }
  });

  it('is refused if any one bit differs', () => {
    expectBitsToMatter(Buffer.from(cursors.seal(position), 'base64url'));
  });

  it('is refused if it is cut, lengthened or written in another alphabet', () => {
    const token = cursors.seal(position);
    for (let length = 0; length < token.length; length += 1) expect(cursors.open(token.slice(0, length))).toBeNull();
    for (const wrong of [`${token}A`, `${token}=`, ` ${token}`, `${token}\n`, `${token}${token}`, '{}', 'null']) {
      expect(cursors.open(wrong)).toBeNull();
    }
    const plus = cursors
      .seal({ ...position, time: position.time + 3 })
      .replaceAll('-', '+')
      .replaceAll('_', '/');
    if (/[+/]/.test(plus)) expect(cursors.open(plus)).toBeNull();
  });

  it('opens with an older secret of the list, and no more once that is gone', () => {
    const token = bound(older).seal(position);
    expect(bound(secret, older).open(token)).toEqual(position);
    expect(cursors.open(token)).toBeNull();
  });
});

describe('a cursor with a body', () => {
  const body = Buffer.from('a place in the log of changes');

  it('opens to its body, in its list alone, and is no position', () => {
    const token = cursors.sealBody(body);
    expect(cursors.openBody(token)).toEqual(body);
    expect(bound(older, secret).openBody(token)).toEqual(body);
    expect(new CursorCodec([secret]).bind('another').openBody(token)).toBeNull();
    expect(cursors.open(cursors.sealBody(Buffer.alloc(24)))).toBeNull();
    expect(cursors.openBody(cursors.seal(position))).toBeNull();
    expect(cursors.openBody(cursors.sealBody(Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
  });

  it('is refused if any one bit differs', () => {
    expectBitsToMatter(Buffer.from(cursors.sealBody(body), 'base64url'));
  });
});

function expectBitsToMatter(bytes: Buffer): void {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const forged = Buffer.from(bytes);
    forged[bit >> 3] = (forged[bit >> 3] as number) ^ (1 << (bit & 7));
    const text = forged.toString('base64url');
    expect(cursors.open(text) ?? cursors.openBody(text), `bit ${bit}`).toBeNull();
  }
}

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
