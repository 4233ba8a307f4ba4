import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTimestamp, parseTimestamp } from '../../src/domain/timestamp.ts';

describe('parseTimestamp', () => {
  it.each([
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.5Z', '2026-01-31T10:00:00.500Z'],
    ['2026-01-31T10:00:00.123+02:00', '2026-01-31T08:00:00.123Z'],
    ['2026-01-31T23:30:00-05:30', '2026-02-01T05:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected);
  });

  it.each([
    '2026-01-31',
    '2026-01-31T10:00:00',
    '2026-01-31 10:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:60:00Z',
    '2026-01-01T10:00:60Z',
    '2026-01-01T10:00:00+24:00',
    '2026-01-01T10:00:00+02',
    '2026-01-01T10:00:00.1234Z',
    '2026-01-01T10:00:00.Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+012026-01-01T00:00:00Z',
    'infinity',
    'now',
    '',
    0,
    1767225600000,
    null,
    undefined,
    {},
    ['2026-01-31T10:00:00Z'],
  ])('refuses %j', (value) => {
    expect(parseTimestamp(value)).toBeNull();
  });
});

describe('isoTimestamp', () => {
  it.each([
    ['2026-01-31 10:00:00+00', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31 10:00:00.1+00', '2026-01-31T10:00:00.100Z'],
    ['2026-01-31 10:00:00.12+00', '2026-01-31T10:00:00.120Z'],
    ['2026-01-31 10:00:00.123+00', '2026-01-31T10:00:00.123Z'],
    ['2026-01-31 12:00:00.123+02', '2026-01-31T10:00:00.123Z'],
    ['2026-01-31 15:30:00+05:30', '2026-01-31T10:00:00.000Z'],
  ])('shows %s', (text, expected) => {
    expect(isoTimestamp(text)).toBe(expected);
  });

  it('agrees with Date for every moment', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
        (date) => {
          const printed = date
            .toISOString()
            .replace('T', ' ')
            .replace('Z', '')
            .replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros.replace(/0+$/, '')));
          expect(
            isoTimestamp(`${printed.length === 19 || printed.includes('.') ? printed : printed.padEnd(19, '0')}+00`),
          ).toBe(date.toISOString());
        },
      ),
    );
  });
});
