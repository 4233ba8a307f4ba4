import { LRUCache } from 'lru-cache';

/** When an event takes place, in its own time zone; the zone's name is not included. */
export function eventTime(start: Date, end: Date, timeZone: string): string {
  const { time, offset } = formatsIn(timeZone);
  if (start.getTime() === end.getTime()) return time.format(start);
  const [from, to] = [zoneNameAt(offset, start), zoneNameAt(offset, end)];
  // the clocks change in between: without the offsets, two hours could look like one or none
  return from === to ? rangeOf(time, start, end) : `${time.format(start)} ${from} – ${time.format(end)} ${to}`;
}

/** A range of times that names the year once where it ends in the year it begins in: "Monday, 1 June at 10:00 – Wednesday, 3 June 2026 at 12:00". */
function rangeOf(format: Intl.DateTimeFormat, start: Date, end: Date): string {
  const parts = format.formatRangeToParts(start, end);
  const first = parts.findIndex(({ type }) => type === 'year');
  const last = parts.findLastIndex(({ type }) => type === 'year');
  // with the space before it
  if (first < last && parts[first]?.value === parts[last]?.value) parts.splice(first - 1, 2);
  return parts.map(({ value }) => value).join('');
}

/** The name of a time zone, with the common name of its time at an instant if there is one. */
export function zoneWords(timeZone: string, at: Date): string {
  const name = zoneNameAt(formatsIn(timeZone).name, at);
  return /^GMT[+-]/.test(name) ? `${timeZone}, ${name}` : `${name} (${timeZone})`;
}

function zoneNameAt(format: Intl.DateTimeFormat, at: Date): string {
  return format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

interface Formats {
  time: Intl.DateTimeFormat;
  offset: Intl.DateTimeFormat;
  name: Intl.DateTimeFormat;
}

/** Cached, since creating them takes longer than composing the rest of a mail. */
const formats = new LRUCache<string, Formats>({ max: 50 });

function formatsIn(timeZone: string): Formats {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = {
    time: new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }),
    offset: new Intl.DateTimeFormat('en-GB', { timeZoneName: 'shortOffset', timeZone }),
    name: new Intl.DateTimeFormat('en-GB', { timeZoneName: 'long', timeZone }),
  };
  formats.set(timeZone, made);
  return made;
}
