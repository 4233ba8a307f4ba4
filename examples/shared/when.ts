/** The time where the event is, as its own page has it. */
export function timeOf({ dateStart, timezone: timeZone }: { dateStart: string; timezone: string }): string {
  const day = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  return new Date(dateStart).toLocaleString(undefined, { timeZone, ...day, ...time });
}

/** The month in which the event starts there. */
export function monthOf({ dateStart, timezone: timeZone }: { dateStart: string; timezone: string }): string {
  return new Date(dateStart).toLocaleString(undefined, { timeZone, year: 'numeric', month: 'long' });
}

/** Where the list opens: with what is still to come. */
export const now = new Date().toISOString();
/** Events a page. */
export const size = 10;
