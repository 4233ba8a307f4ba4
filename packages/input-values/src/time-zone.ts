import tzdata from 'tzdata' with { type: 'json' };
import { z } from 'zod';

/** The names in the IANA time zone database, links included, by their lower-case form. */
const names = new Map(Object.keys(tzdata.zones).map((name) => [name.toLowerCase(), name]));

/** An IANA time zone, spelt as in the zone data; links such as `Asia/Calcutta` stay. */
export const timeZone = z.string().transform((value, context) => {
  const name = zoneName(value);
  if (name !== null) return name;
  context.addIssue({ code: 'custom', message: 'Must be the name of an IANA time zone, such as Europe/Berlin.' });
  return z.NEVER;
});

/** Zones that the runtime knows: an import looks one up for each row. */
const formatted = new Set<string>();

/** The name of a time zone as spelt in the zone data; null if these, or those of the runtime, do not contain it. */
export function zoneName(value: string): string | null {
  const name = names.get(value.toLowerCase());
  if (name === undefined || formatted.has(name)) return name ?? null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return null;
  }
  formatted.add(name);
  return name;
}
