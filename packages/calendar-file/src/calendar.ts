import ICAL from 'ical.js';
import { isSecondPass, localTime, offsetAt, type Transition, transitions, zoneAbbreviation } from './zone.ts';

/** With times as ISO 8601. */
export interface CalendarEvent {
  id: string;
  name: string;
  description: string | null;
  location: string | null;
  /** Of the IANA time zone database. */
  timezone: string;
  /** 1 for a new event, and greater after each change. */
  version: number;
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  date_start: string;
  date_end: string;
  created_at: string;
  updated_at: string;
}

export interface CalendarOptions {
  name: string;
  /** Makes the ids of events unique. */
  host: string;
  /** The program that makes the file, such as `-//Example//EN`. */
  product: string;
  /** Turns descriptions into plain text, each when it is written. */
  describe?(description: string): string;
}

const year = 366 * 86_400_000;
/** iCalendar has only the years 1 to 9999, and local times may be a day behind or ahead. */
const earliestTime = new Date('0001-01-02T00:00:00Z');
const latestTime = new Date('9999-12-31T00:00:00Z');

// the library ignores the space at the start of a folded line
ICAL.foldLength = 74;

/** Events as an iCalendar object (RFC 5545) with their time zones, in pieces, since it may have 20 MB. */
export function calendarFile(events: readonly CalendarEvent[], options: CalendarOptions): Generator<string> {
  const properties = {
    prodid: options.product,
    version: '2.0',
    calscale: 'GREGORIAN',
    method: 'PUBLISH',
    // not part of RFC 5545, so the library does not know that it is text
    'x-wr-calname': ICAL.stringify.value(plain(options.name), 'text', ICAL.design.icalendar, false),
  };
  return component('vcalendar', properties, contentPieces(events, options));
}

/** @param content lines that follow the properties */
function* component(
  name: string,
  properties: Record<string, string | number>,
  content: Iterable<string>,
): Generator<string> {
  const made = new ICAL.Component(name);
  for (const [property, value] of Object.entries(properties)) made.addPropertyWithValue(property, value);
  const end = `END:${name.toUpperCase()}`;
  yield made.toString().slice(0, -end.length);
  yield* content;
  yield `${end}\r\n`;
}

function* contentPieces(events: readonly CalendarEvent[], options: CalendarOptions): Generator<string> {
  for (const [zone, ofZone] of Map.groupBy(events, ({ timezone }) => timezone)) {
    if (!isUtc(zone)) yield* zonePieces(zone, ofZone);
  }
  for (const event of events) yield [...eventPieces(event, options)].join('');
}

function eventPieces(event: CalendarEvent, { host, describe = (text) => text }: CalendarOptions): Generator<string> {
  const { description, location, timezone } = event;
  const [start, end] = [new Date(event.date_start), new Date(event.date_end)];
  const updated = utc(new Date(event.updated_at));
  const properties = {
    uid: `${event.id}@${host}`,
    dtstamp: updated,
    created: utc(new Date(event.created_at)),
    'last-modified': updated,
    sequence: event.version - 1,
    status: event.status,
    summary: plain(event.name),
    ...(description !== null && { description: plain(describe(description)) }),
    ...(location !== null && { location: plain(location) }),
  };
  return component('vevent', properties, [
    timeLine('dtstart', start, timezone),
    ...(end > start ? [timeLine('dtend', end, timezone)] : []),
  ]);
}

/** A text with `\n` as its only line break, and without the control characters that iCalendar forbids. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '');
}

function timeLine(name: string, time: Date, zone: string): string {
  // an ambiguous local time would mean the first of the two times
  if (isUtc(zone) || time < earliestTime || time >= latestTime || isSecondPass(zone, time)) {
    return line(name, utc(time));
  }
  return line(name, floating(localTime(zone, time)), zone);
}

function line(name: string, value: string, zone?: string): string {
  const property = new ICAL.Property(name);
  if (zone !== undefined) property.setParameter('tzid', zone);
  property.setValue(value);
  return `${property.toICALString()}\r\n`;
}

/** The zone around the times of its events. Gaps between events are left out: they may be thousands of years long. */
function* zonePieces(zone: string, events: readonly CalendarEvent[]): Generator<string> {
  const times = events.flatMap((event) => [Date.parse(event.date_start), Date.parse(event.date_end)]);
  const observances: Transition[] = [];
  for (const { from, to } of spansAround(times)) {
    const offset = offsetAt(zone, from);
    observances.push({ at: from, before: offset, after: offset });
    for (const found of transitions(zone, from, to)) {
      observances.push(found);
      // an empty piece, so that the caller can yield to other work
      yield '';
    }
  }
  yield* component('vtimezone', { tzid: zone }, observancePieces(zone, observances));
}

/** From a year before to a year after each of these times, in order; overlapping spans are merged. */
function spansAround(times: readonly number[]): { from: Date; to: Date }[] {
  const spans: { from: Date; to: Date }[] = [];
  for (const time of times.toSorted((one, other) => one - other)) {
    const from = new Date(Math.max(Math.floor((time - year) / 1000) * 1000, earliestTime.getTime()));
    const to = new Date(Math.min(time + year, latestTime.getTime()));
    const last = spans.at(-1);
    if (last && from <= last.to) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

function* observancePieces(zone: string, observances: readonly Transition[]): Generator<string> {
  const standard = Math.min(...observances.map(({ after }) => after));
  for (const same of Map.groupBy(observances, ({ before, after }) => `${before} ${after}`).values()) {
    const [{ at, before, after }, ...others] = same as [Transition, ...Transition[]];
    const onsetOf = (time: Date) => floating(new Date(time.getTime() + before * 1000));
    const properties = {
      tzname: zoneAbbreviation(zone, at),
      tzoffsetfrom: offsetText(before),
      tzoffsetto: offsetText(after),
      dtstart: onsetOf(at),
    };
    yield* component(
      after > standard ? 'daylight' : 'standard',
      properties,
      others.map((other) => line('rdate', onsetOf(other.at))),
    );
  }
}

/** In the library's text form: its own type has no seconds. */
function offsetText(offset: number): string {
  const size = Math.abs(offset);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, ...(size % 60 === 0 ? [] : [size % 60])];
  return `${offset < 0 ? '-' : '+'}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

function isUtc(zone: string): boolean {
  return zone === 'UTC' || zone === 'Etc/UTC';
}

// times in the library's text form: its own type writes years before 1000 with fewer digits than the four of RFC 5545

function utc(time: Date): string {
  return `${floating(time)}Z`;
}

function floating(local: Date): string {
  return local.toISOString().slice(0, 19);
}
