// Ids and timestamps: as clients may write them, and in the form that both APIs show.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** In canonical form, lower case; null if it is not a UUID (RFC 9562). */
export function parseUuid(value: unknown): string | null {
  return typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : null;
}

/** ISO 8601 of PostgreSQL's text for a `timestamptz(3)`, in a row or in JSON. A `Date` for each timestamp would be too slow. */
export function isoTimestamp(text: string): string {
  // "2026-01-31 10:00:00.12+00" or "2026-01-31T10:00:00.12+00:00": sessions are in UTC, trailing zeros are omitted
  const zone = text.endsWith('+00:00') ? 6 : 3;
  if ((zone === 6 || text.endsWith('+00')) && text.length >= 19 + zone && text.charCodeAt(4) === 45) {
    const fraction = text.slice(20, -zone);
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
  }
  return new Date(text).toISOString();
}

const iso = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(?:\.\d{1,3})?)(?:Z|[+-]\d\d:\d\d)$/;
const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** A client's timestamp, normalized to UTC with milliseconds; null if it is invalid. */
export function parseTimestamp(value: unknown): string | null {
  const [text = '', date = '', clock = ''] = (typeof value === 'string' && iso.exec(value)) || [];
  const time = Date.parse(text);
  if (!(time >= earliest && time <= latest)) return null;
  // JavaScript takes February 30 for March 2, and 24:00 for the next day
  return new Date(`${date}${clock}Z`).toISOString().startsWith(date) ? new Date(time).toISOString() : null;
}
