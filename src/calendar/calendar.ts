import ICAL from 'ical.js';
import { readMarkdown } from '#safe-markdown';
import type { CalendarEvent } from '../domain/calendar/calendar-event.ts';
import { shorten } from '../kernel/input/text.ts';
import { calendarZoneName, isSecondPass, localTime, offsetAt, type Transition, transitions } from './zone.ts';

/** Only this much of a description is read: parsing it may take a few milliseconds per event. */
const descriptionLength = 2_000;

const year = 366 * 86_400_000;
/** iCalendar has only the years 1 to 9999, and local times may be a day behind or ahead. */
const earliestTime = new Date('0001-01-02T00:00:00Z');
const latestTime = new Date('9999-12-31T00:00:00Z');

// the library ignores the space at the start of a folded line
ICAL.foldLength = 74;

export interface CalendarOptions {
  name: string;
  /** The host of the public URL, which makes the ids of events unique. */
  host: string;
}

/** Events as an iCalendar object (RFC 5545) with their time zones, in pieces, since it may have 20 MB. */
export function* calendarPieces(events: readonly CalendarEvent[], { name, host }: CalendarOptions): Generator<string> {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('prodid', '-//Events Gateway//EN');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('calscale', 'GREGORIAN');
  calendar.addPropertyWithValue('method', 'PUBLISH');
  // not part of RFC 5545, so the library does not know that it is text
  calendar.addPropertyWithValue(
    'x-wr-calname',
    ICAL.stringify.value(plain(name), 'text', ICAL.design.icalendar, false),
  );
  const end = 'END:VCALENDAR';
  yield calendar.toString().slice(0, -end.length);
  for (const [zone, ofZone] of Map.groupBy(events, ({ timezone }) => timezone)) {
    if (!isUtc(zone)) yield* zonePieces(zone, ofZone);
  }
  for (const event of events) yield `${eventComponent(event, host).toString()}\r\n`;
  yield `${end}\r\n`;
}

function eventComponent(event: CalendarEvent, host: string): ICAL.Component {
  const component = new ICAL.Component('vevent');
  const [start, end] = [new Date(event.date_start), new Date(event.date_end)];
  component.addPropertyWithValue('uid', `${event.id}@${host}`);
  component.addPropertyWithValue('dtstamp', utc(new Date(event.updated_at)));
  component.addPropertyWithValue('created', utc(new Date(event.created_at)));
  component.addPropertyWithValue('last-modified', utc(new Date(event.updated_at)));
  component.addPropertyWithValue('sequence', event.version - 1);
  component.addPropertyWithValue('status', event.status);
  component.addPropertyWithValue('summary', plain(event.name));
  if (event.description !== null)
    component.addPropertyWithValue(
      'description',
      plain(readMarkdown(shorten(event.description, descriptionLength)).plain),
    );
  if (event.location !== null) component.addPropertyWithValue('location', plain(event.location));
  component.addProperty(timeProperty('dtstart', start, event.timezone));
  if (end > start) component.addProperty(timeProperty('dtend', end, event.timezone));
  return component;
}

/** A text with `\n` as its only line break, and without the control characters that iCalendar forbids. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '');
}

function timeProperty(name: string, time: Date, zone: string): ICAL.Property {
  const property = new ICAL.Property(name);
  // an ambiguous local time would mean the first of the two times
  if (isUtc(zone) || time < earliestTime || time >= latestTime || isSecondPass(zone, time)) {
    property.setValue(utc(time));
    return property;
  }
  property.setParameter('tzid', zone);
  property.setValue(floating(localTime(zone, time)));
  return property;
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
  const standard = Math.min(...observances.map(({ after }) => after));
  const component = new ICAL.Component('vtimezone');
  component.addPropertyWithValue('tzid', zone);
  const end = 'END:VTIMEZONE';
  yield component.toString().slice(0, -end.length);
  for (const same of Map.groupBy(observances, keyOf).values()) yield* observancePieces(zone, same, standard);
  yield `${end}\r\n`;
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

const keyOf = ({ before, after }: Transition) => `${before} ${after}`;

function* observancePieces(zone: string, begins: readonly Transition[], standard: number): Generator<string> {
  const [{ at, before, after }, ...others] = begins as [Transition, ...Transition[]];
  const onsetOf = (time: Date) => floating(new Date(time.getTime() + before * 1000));
  const name = after > standard ? 'daylight' : 'standard';
  const component = new ICAL.Component(name);
  component.addPropertyWithValue('tzname', calendarZoneName(zone, at));
  component.addPropertyWithValue('tzoffsetfrom', offsetText(before));
  component.addPropertyWithValue('tzoffsetto', offsetText(after));
  component.addPropertyWithValue('dtstart', onsetOf(at));
  const end = `END:${name.toUpperCase()}`;
  yield component.toString().slice(0, -end.length);
  for (const other of others) {
    const onset = new ICAL.Property('rdate');
    onset.setValue(onsetOf(other.at));
    yield `${onset.toICALString()}\r\n`;
  }
  yield `${end}\r\n`;
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
