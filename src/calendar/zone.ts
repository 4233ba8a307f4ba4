/** A change of the clocks of a zone. Offsets in seconds east of UTC. */
export interface Transition {
  at: Date;
  before: number;
  after: number;
}

const day = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Uses the zone data of the runtime, like all other local times. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  return format;
}

/** How far the clocks of a zone are ahead of UTC, in seconds: early local times have offsets that are no whole minutes. */
export function offsetAt(zone: string, moment: Date): number {
  // such as `GMT`, `GMT+02:00` or `GMT-00:44:30`
  const [, sign, hours, minutes, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatOf(zone).format(moment)) ?? [];
  if (sign === undefined) return 0;
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -offset : offset;
}

/** The changes of the clocks between two moments, in their order. */
export function transitions(zone: string, from: Date, to: Date): Transition[] {
  return [...walkTransitions(zone, from, to)].filter((found) => found !== null);
}

/**
 * The same step by step, null for each ten days without a change: thousands of years take a second, in which others want a
 * turn.
 */
export function* walkTransitions(zone: string, from: Date, to: Date): Generator<Transition | null> {
  let low = from.getTime();
  let before = offsetAt(zone, from);
  // no zone changes its clocks there and back within ten days
  for (let high = low + 10 * day; low < to.getTime(); low = high, high += 10 * day) {
    const after = offsetAt(zone, new Date(high));
    const at = after === before ? null : changeBetween(zone, low, high);
    yield at !== null && at < to ? { at, before, after } : null;
    before = after;
  }
}

/** The first second with the offset that holds at `high`. */
function changeBetween(zone: string, low: number, high: number): Date {
  const after = offsetAt(zone, new Date(high));
  let [early, late] = [Math.floor(low / 1000), Math.floor(high / 1000)];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (offsetAt(zone, new Date(middle * 1000)) === after) late = middle;
    else early = middle;
  }
  return new Date(late * 1000);
}

/** Whether the clocks show this moment's time for the second time: they were set back a little earlier. */
export function isSecondPass(zone: string, moment: Date): boolean {
  return transitions(zone, new Date(moment.getTime() - day), new Date(moment.getTime() + 1)).some(
    ({ at, before, after }) => before > after && moment.getTime() < at.getTime() + (before - after) * 1000,
  );
}

/** The local time of the zone, as if it were UTC. */
export function localTime(zone: string, moment: Date): Date {
  return new Date(moment.getTime() + offsetAt(zone, moment) * 1000);
}

/** The abbreviation of the zone's time, such as CET. */
export function zoneName(zone: string, moment: Date): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'short' });
  return format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}
