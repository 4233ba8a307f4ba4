import { LRUCache } from 'lru-cache';

/** In the event's own time zone, whose name is not included. */
export function eventTime(start: Date, end: Date, timeZone: string): string {
  const { time, offset } = formats.memo(timeZone);
  if (start.getTime() === end.getTime()) return time.format(start);
  const [from, to] = [zoneNameAt(offset, start), zoneNameAt(offset, end)];
  // the clocks change in between: without the offsets, two hours could look like one or none
  return from === to ? rangeOf(time, start, end) : `${time.format(start)} ${from} – ${time.format(end)} ${to}`;
}

/** Names a common year once: "Monday, 1 June at 10:00 – Wednesday, 3 June 2026 at 12:00". */
function rangeOf(format: Intl.DateTimeFormat, start: Date, end: Date): string {
  const parts = format.formatRangeToParts(start, end);
  const first = parts.findIndex(({ type }) => type === 'year');
  const last = parts.findLastIndex(({ type }) => type === 'year');
  // with the space before it
  if (first < last && parts[first]?.value === parts[last]?.value) parts.splice(first - 1, 2);
  return parts.map(({ value }) => value).join('');
}

export function zoneWords(timeZone: string, at: Date): string {
  const name = zoneNameAt(formats.memo(timeZone).name, at);
  return /^GMT[+-]/.test(name) ? `${timeZone}, ${name}` : `${name} (${timeZone})`;
}

function zoneNameAt(format: Intl.DateTimeFormat, at: Date): string {
  return format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Creating them takes longer than composing the rest of a mail. */
const formats = new LRUCache({
  max: 50,
  memoMethod: (timeZone: string) => ({
    time: new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }),
    offset: new Intl.DateTimeFormat('en-GB', { timeZoneName: 'shortOffset', timeZone }),
    name: new Intl.DateTimeFormat('en-GB', { timeZoneName: 'long', timeZone }),
  }),
});
