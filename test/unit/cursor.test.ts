import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CursorCodec } from '../../src/engine/cursor.ts';
import { neighbour, type Position } from '../../src/engine/position.ts';

const secret = 'a secret of the test, newest first';
const list = ['organization', 'event', '', 'date_start', 'and()'];
const cursors = new CursorCodec([secret]).bind(...list);
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

  it('keeps its bytes from one version of the service to the next', () => {
    expect(Buffer.from(cursors.seal(position), 'base64url').toString('hex')).toBe(
      '75403d85' + '300000019cb73d3271' + '0199b5a07c3a700080000123456789ab' + 'afd60d99a61c471cfe27ff119fa442d6',
    );
  });

  it('differs by direction of the page that it was taken from', () => {
    const tokens = [undefined, 1 as const, -1 as const].map((before) => cursors.seal({ ...position, before }));
    expect(new Set(tokens).size).toBe(3);
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
