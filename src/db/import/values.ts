import { z } from 'zod';
import { countCharacters, isRecord, parseTimestamp, parseUuid, zoneName } from '#input-values';

// Values may exceed the limits of the interface (reference/writes.md#stored-values), so these schemas are wider than its own.

/** A string that `parse` converts; null if it is invalid. */
const parsed = (parse: (value: string) => string | null, fault: string) =>
  z.string().transform((value, context) => {
    const result = parse(value);
    if (result !== null) return result;
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });

export const id = parsed(parseUuid, 'must be a UUID');
export const timestamp = parsed(
  parseTimestamp,
  'must be an ISO 8601 timestamp with time and zone, like 2026-01-31T18:00:00Z',
);
export const timezone = parsed(zoneName, 'must be an IANA time zone, like Europe/Berlin');

export const text = (low: number, high: number) =>
  z.string().refine((value) => {
    const count = countCharacters(value, high);
    return count >= low && count <= high;
  }, `must have ${low} to ${high} characters`);
export const name = text(1, 200).refine((value) => value.trim() !== '', 'must not be blank');
/** Used in links unchanged, so it contains nothing that needs escaping or could be read as a path. */
export const slug = text(1, 200).refine(
  (value) => /^[\p{L}\p{M}\p{N}._~-]+$/u.test(value) && !/^\.+$/.test(value),
  'may contain only letters, digits and - _ . ~',
);
export const webAddress = text(1, 2048).refine(
  (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
  'must be an http or https URL',
);

export const integer = (low: number, high: number) =>
  z
    .number()
    .refine(
      (value) => Number.isInteger(value) && value >= low && value <= high,
      `must be an integer from ${low} to ${high}`,
    );
export const object = z.custom<object>(isRecord, 'must be an object or null');
