import { expect, it } from 'vitest';
import { calendarPieces } from '../../src/calendar/calendar.ts';
import type { CalendarEvent } from '../../src/domain/calendar/calendar-event.ts';
import { addMonths } from '../../src/domain/calendar/public-calendar.ts';

const event: CalendarEvent = {
  id: '0192aaaa-0000-7000-8000-000000000000',
  name: 'Long',
  description: '😀'.repeat(2_001),
  location: null,
  timezone: 'Europe/Berlin',
  version: 1,
  status: 'CONFIRMED',
  date_start: '2031-06-01T10:00:00.000Z',
  date_end: '2031-06-01T12:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

it('has the beginning of a long description, without half a character', () => {
  const pieces = calendarPieces([event], {
    name: 'Long',
    host: 'events.test',
  });
  const text = [...pieces].join('').replaceAll('\r\n ', '');
  expect(text).toContain(`DESCRIPTION:${'😀'.repeat(1_999)}…\r\n`);
});

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
