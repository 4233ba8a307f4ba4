import { randomUUIDv7 } from 'node:crypto';
import { p, Type } from '@mikro-orm/core';
import { isoTimestamp } from '#input-values';

/** A `timestamptz(3)` as the APIs show it: ISO 8601, UTC, milliseconds. */
class IsoTimestamp extends Type<string, string> {
  override convertToJSValue(value: string): string {
    return value && isoTimestamp(value);
  }

  override getColumnType(): string {
    return 'timestamptz(3)';
  }

  override compareAsType(): string {
    return 'string';
  }
}

const now = () => new Date().toISOString();

/** A primary key that increases with time (UUIDv7). */
export const id = () =>
  p
    .uuid()
    .primary()
    .onCreate(() => randomUUIDv7());

export const timestamp = () => p.type(IsoTimestamp);

export const created_at = () => timestamp().defaultRaw('now()').onCreate(now);

interface Dated {
  created_at: string;
  updated_at: string;
}

/** Initially equal to `created_at`, which must be declared before it; never decreases. */
export const updated_at = () =>
  timestamp()
    .defaultRaw('now()')
    .onCreate((row: Dated) => row.created_at)
    .onUpdate((row: Dated) => latest(now(), row.created_at, row.updated_at));

/** The latest of ISO timestamps; a column that was not read is absent. */
function latest(time: string, ...others: (string | undefined)[]): string {
  return others.reduce<string>((last, other) => (other !== undefined && other > last ? other : last), time);
}

/**
 * The `updated_at` of rows (a table or alias) that a statement changes. Not `now()`: others may have changed a row while the
 * transaction waited for a lock, and clocks differ.
 */
export const changedNow = (row: string) => `greatest(clock_timestamp(), ${row}.created_at, ${row}.updated_at)`;
