import { z } from 'zod';
import { parseTimestamp } from './scalars.ts';

/** A timestamp with a zone, as `parseTimestamp` writes it. @param otherwise the issue of one that is not allowed */
export function timestampInput(isAllowed: (time: Date) => boolean, otherwise: string) {
  return z
    .string()
    .transform((value, context) => {
      const parsed = parseTimestamp(value);
      if (parsed !== null && isAllowed(new Date(parsed))) return parsed;
      const unread = 'Must be an ISO 8601 timestamp with time and zone, such as 2026-01-31T18:00:00+01:00.';
      context.addIssue({ code: 'custom', message: parsed === null ? unread : otherwise });
      return z.NEVER;
    })
    .meta({ format: 'date-time' });
}
