import { expect, it } from 'vitest';
import { decodePlace, encodePlace, type Place } from '../src/index.ts';

const place: Place = {
  height: 123_456_789,
  moment: { open: [990, 1_000], from: 1_001, to: 1_003 },
  late: { last: 55, moment: { open: [], from: 1_002, to: 1_002 } },
  newest: '0123456789ab',
  at: 1_900_000_000,
  caughtUp: true,
};

it('a place of another version is refused', () => {
  const bytes = encodePlace(place);
  expect(decodePlace(bytes)).toEqual(place);
  for (const version of [0, 2, 255]) {
    bytes[0] = version;
    expect(decodePlace(bytes)).toBeNull();
  }
});

it('a place that ends early, or is longer than one, is refused', () => {
  const bytes = encodePlace(place);
  for (let length = 0; length < bytes.length; length += 1) {
    expect(decodePlace(bytes.subarray(0, length)), `${length} bytes`).toBeNull();
  }
  expect(decodePlace(Buffer.concat([bytes, Buffer.of(0)]))).toBeNull();
});

it('a place has less than 2 KB in a cursor, however many transactions are open', () => {
  const open = Array.from({ length: 200 }, (_, index) => 4_000_000_000 + index * 900);
  const moment = { open, from: 4_000_200_000, to: 4_000_200_900 };
  const large = { ...place, height: 9e12, moment, late: { last: 8e12, moment }, at: 2e9, caughtUp: false };
  const bytes = encodePlace(large);
  expect(decodePlace(bytes)).toEqual(large);
  // with the key, the view and the MAC
  expect(Math.ceil(((bytes.length + 5 + 17 + 16) * 4) / 3)).toBeLessThan(2048);
});
