import { expect, it } from 'vitest';
import { isSecondPass, localTime, offsetAt, transitions } from '../src/zone.ts';

it('finds the changes of the clocks, to the second', () => {
  const changesOf2026 = (zone: string) => [
    ...transitions(zone, new Date('2026-01-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z')),
  ];
  expect(changesOf2026('Europe/Berlin')).toEqual([
    { at: new Date('2026-03-29T01:00:00Z'), before: 3600, after: 7200 },
    { at: new Date('2026-10-25T01:00:00Z'), before: 7200, after: 3600 },
  ]);
  expect(changesOf2026('Asia/Kolkata')).toEqual([]);
});

it('knows zones of half hours, and one that changes its clocks by half an hour', () => {
  expect(offsetAt('Asia/Kathmandu', new Date('2026-06-01T00:00:00Z'))).toBe(20_700);
  const lordHowe = [
    ...transitions('Australia/Lord_Howe', new Date('2026-01-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z')),
  ];
  expect(lordHowe.map(({ before, after }) => [before, after])).toEqual([
    [39_600, 37_800],
    [37_800, 39_600],
  ]);
});

it.each([
  ['2026-10-25T00:59:59Z', false],
  ['2026-10-25T01:00:00Z', true],
  ['2026-10-25T01:59:59Z', true],
  ['2026-10-25T02:00:00Z', false],
])('tells the second pass of a repeated hour: %s %s', (moment, second) => {
  expect(isSecondPass('Europe/Berlin', new Date(moment))).toBe(second);
});

it('tells what the clocks show', () => {
  expect(localTime('America/New_York', new Date('2026-07-01T16:30:00Z')).toISOString()).toBe(
    '2026-07-01T12:30:00.000Z',
  );
});
