import { expect, it } from 'vitest';
import { addMonths } from '../../src/domain/calendar/public-calendar.ts';

it.each([
  ['2026-08-15', -3, '2026-05-15'],
  ['2026-05-31', -3, '2026-02-28'],
  ['2028-05-30', -3, '2028-02-29'],
  ['2026-01-31', -3, '2025-10-31'],
  ['2028-02-29', 12, '2029-02-28'],
  ['2026-12-31', 12, '2027-12-31'],
])('%s and %i months is %s', (day, months, expected) => {
  expect(addMonths(new Date(`${day}T00:00:00Z`), months)).toEqual(new Date(`${expected}T00:00:00Z`));
});
