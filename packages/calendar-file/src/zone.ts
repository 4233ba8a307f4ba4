import { Temporal } from 'temporal-polyfill';

/** A change of a zone's clocks, with offsets in seconds east of UTC; historical ones are not always whole minutes. */
export interface Transition {
  at: Date;
  before: number;
  after: number;
}

function inZone(zone: string, time: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone);
}

const offsetOf = (time: Temporal.ZonedDateTime) => time.offsetNanoseconds / 1e9;

export function offsetAt(zone: string, time: Date): number {
  return offsetOf(inZone(zone, time));
}

export function* transitions(zone: string, from: Date, to: Date): Generator<Transition> {
  let last = inZone(zone, from);
  for (;;) {
    const next = last.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds >= to.getTime()) return;
    yield { at: new Date(next.epochMilliseconds), before: offsetOf(last), after: offsetOf(next) };
    last = next;
  }
}

/** Whether this local time occurs for the second time, because the clocks were set back shortly before. */
export function isSecondPass(zone: string, time: Date): boolean {
  const shown = inZone(zone, time).toPlainDateTime();
  return shown.toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds < time.getTime();
}

/** The local time of the zone, as if it were UTC. */
export function localTime(zone: string, time: Date): Date {
  return new Date(time.getTime() + offsetAt(zone, time) * 1000);
}

export function zoneAbbreviation(zone: string, time: Date): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'short' });
  return format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}
