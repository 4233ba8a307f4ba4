import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import { calendarPieces } from '../../src/calendar/calendar.ts';
import { sendCalendar } from '../../src/calendar/send-calendar.ts';
import type { CalendarEvent } from '../../src/domain/calendar/calendar-event.ts';
import { addMonths } from '../../src/domain/calendar/public-calendar.ts';

const event = (index: number): CalendarEvent => ({
  id: `0192aaaa-0000-7000-8000-${String(index).padStart(12, '0')}`,
  name: 'Long',
  description: '漢,;\n'.repeat(5000),
  location: null,
  timezone: 'Europe/Berlin',
  version: 1,
  status: 'CONFIRMED',
  date_start: `${1900 + index * 10}-06-01T10:00:00.000Z`,
  date_end: `${1905 + index * 10}-06-01T12:00:00.000Z`,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});

it('lets other requests have their turn while a long calendar is written', async () => {
  let turns = 0;
  const app = express().get('/', async (_request, response) => {
    let working = true;
    const take = () => {
      turns += 1;
      if (working) setImmediate(take);
    };
    const events = Array.from({ length: 200 }, (_, index) => event(index));
    setImmediate(take);
    const sent = sendCalendar(response, events, { name: 'Long', fileName: 'long', host: 'events.test' });
    await sent;
    working = false;
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const text = await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
  server.close();
  expect(text.match(/BEGIN:VEVENT\r\n/g)).toHaveLength(200);
  expect(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true);
  expect(turns).toBeGreaterThan(3);
});

it('has the beginning of a long description, without half a character', () => {
  const pieces = calendarPieces([{ ...event(0), description: '😀'.repeat(2_001) }], {
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
