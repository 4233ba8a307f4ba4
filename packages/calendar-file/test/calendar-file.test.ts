import ical, { type VEvent } from 'node-ical';
import { describe, expect, it } from 'vitest';
import { type CalendarEvent, calendarFile } from '../src/index.ts';

const options = { name: 'Events, of the mill', host: 'mill.example', product: '-//Mill//EN' };

const event = (input: Partial<CalendarEvent>): CalendarEvent => ({
  ...{ id: '42', name: 'Bread; with, "signs"', description: null, location: null },
  ...{ timezone: 'Europe/Berlin', version: 3, status: 'CONFIRMED' },
  ...{ date_start: '2026-03-28T18:00:00Z', date_end: '2026-03-29T10:00:00Z' },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-02-01T00:00:00Z' },
  ...input,
});

const write = (input: Partial<CalendarEvent>) => [...calendarFile([event(input)], options)].join('');

/** The events of a file, as another library reads them. */
const read = (text: string) =>
  Object.values(ical.sync.parseICS(text)).filter((each): each is VEvent => each?.type === 'VEVENT');

const timesOf = (start: string, end: string, timezone = 'Europe/Berlin') =>
  write({ date_start: start, date_end: end, timezone });

describe('a calendar file', () => {
  it('has the events with their zone', () => {
    expect(write({ location: 'Mill Street 3' }).split('\r\n')).toEqual([
      ...['BEGIN:VCALENDAR', 'PRODID:-//Mill//EN', 'VERSION:2.0', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH'],
      'X-WR-CALNAME:Events\\, of the mill',
      ...['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin'],
      ...['BEGIN:STANDARD', 'TZNAME:GMT+1', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0100', 'DTSTART:20250327T190000'],
      'END:STANDARD',
      ...['BEGIN:DAYLIGHT', 'TZNAME:GMT+2', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'DTSTART:20250330T020000'],
      ...['RDATE:20260329T020000', 'RDATE:20270328T020000', 'END:DAYLIGHT'],
      ...['BEGIN:STANDARD', 'TZNAME:GMT+1', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'DTSTART:20251026T030000'],
      ...['RDATE:20261025T030000', 'END:STANDARD', 'END:VTIMEZONE'],
      ...['BEGIN:VEVENT', 'UID:42@mill.example', 'DTSTAMP:20260201T000000Z', 'CREATED:20260101T000000Z'],
      ...['LAST-MODIFIED:20260201T000000Z', 'SEQUENCE:2', 'STATUS:CONFIRMED', 'SUMMARY:Bread\\; with\\, "signs"'],
      ...['LOCATION:Mill Street 3', 'DTSTART;TZID=Europe/Berlin:20260328T190000'],
      ...['DTEND;TZID=Europe/Berlin:20260329T120000', 'END:VEVENT', 'END:VCALENDAR', ''],
    ]);
  });

  it('has each zone once, and none for UTC', () => {
    const zones = ['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'Europe/Berlin'];
    const events = zones.map((timezone, index) => event({ id: String(index), timezone }));
    const text = [...calendarFile(events, options)].join('');
    expect([...text.matchAll(/^TZID:(.*)\r$/gm)].map(([, zone]) => zone)).toEqual(['Europe/Berlin', 'Asia/Kolkata']);
    expect(read(text).map(({ uid, start }) => [uid, start.toISOString()])).toEqual(
      zones.map((_, index) => [`${index}@mill.example`, '2026-03-28T18:00:00.000Z']),
    );
    expect(text).toContain('DTSTART:20260328T180000Z\r\n');
  });

  it('describes events as it is told', () => {
    const describe = (text: string) => text.replaceAll('*', '');
    const events = [event({ description: 'Bring a **bowl**, please' })];
    expect([...calendarFile(events, { ...options, describe })].join('')).toContain(
      'DESCRIPTION:Bring a bowl\\, please\r\n',
    );
  });

  it('has texts without control characters, in lines of at most 75 octets', () => {
    const description = `a\r\nATTENDEE:b\rBEGIN:VALARM\nEND:VEVENT\u0007\u001b\u0085 c\td ${'long '.repeat(100)}${'é'.repeat(100)}`;
    const text = write({ description });
    expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBe(75);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/(?!\t)\p{Cc}/u);
    expect(read(text)[0]?.description).toBe(description.replace(/\r\n|\r/g, '\n').replace('\u0007\u001b\u0085', ''));
  });

  it('has no year that iCalendar does not have', () => {
    const text = timesOf('9999-12-30T22:30:00Z', '9999-12-31T23:30:00Z');
    expect(text).toContain('DTSTART;TZID=Europe/Berlin:99991230T233000\r\n');
    expect(text).toContain('DTEND:99991231T233000Z\r\n');
    expect(text).not.toMatch(/:\d{9}T/);
  });

  it('has years before 1000 with four digits, and none before 1', () => {
    const utc = timesOf('0987-06-01T10:00:00Z', '0987-06-02T10:00:00Z', 'UTC');
    expect(utc).toContain('DTSTART:09870601T100000Z\r\nDTEND:09870602T100000Z\r\n');
    const local = timesOf('0987-06-01T10:00:00Z', '0987-06-02T10:00:00Z');
    // before zones, the time of a place is that of its sun
    expect(local).toContain('DTSTART;TZID=Europe/Berlin:09870601T105328\r\n');
    const earliest = timesOf('0001-01-01T00:00:00Z', '0001-01-03T00:00:00Z', 'America/New_York');
    expect(earliest).toContain('DTSTART:00010101T000000Z\r\n');
    expect(earliest).toContain('DTEND;TZID=America/New_York:00010102T190358\r\n');
    const times = [...(utc + local + earliest).matchAll(/:(-?\d+)T\d{6}/g)];
    expect(times.filter(([, day = '']) => !/^(?!0000)\d{8}$/.test(day))).toEqual([]);
  });

  it('has the second pass of a repeated hour in UTC, and no end that equals the start', () => {
    const both = timesOf('2026-10-25T01:30:00Z', '2026-10-25T01:30:00Z');
    expect(both).toContain('DTSTART:20261025T013000Z\r\n');
    expect(both).not.toContain('DTEND');
    const first = timesOf('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z');
    expect(first).toContain('DTSTART;TZID=Europe/Berlin:20261025T023000\r\n');
  });

  it('leaves out what the clocks did in the years between the times that it names', () => {
    const text = timesOf('1990-06-01T10:00:00Z', '9990-12-01T10:00:00Z');
    expect(text).toContain('DTSTART;TZID=Europe/Berlin:19900601T120000\r\n');
    expect(text).toContain('DTEND;TZID=Europe/Berlin:99901201T110000\r\n');
    const [first] = read(text);
    expect([first?.start.toISOString(), first?.end?.toISOString()]).toEqual([
      '1990-06-01T10:00:00.000Z',
      '9990-12-01T10:00:00.000Z',
    ]);
    const years = [...text.matchAll(/^(?:DTSTART|RDATE):(\d{4})/gm)].map(([, year]) => Number(year));
    expect([...new Set(years)].sort()).toEqual([1989, 1990, 1991, 9989, 9990, 9991]);
  });

  it('has offsets to the second, as zones had before whole minutes', () => {
    const text = timesOf('1960-05-01T12:00:00Z', '1960-05-01T13:00:00Z', 'Africa/Monrovia');
    expect(text).toContain('TZOFFSETFROM:-004430\r\nTZOFFSETTO:-004430\r\n');
    expect(text).toContain('DTSTART;TZID=Africa/Monrovia:19600501T111530\r\n');
  });
});
