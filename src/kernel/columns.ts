import { randomUUIDv7 } from 'node:crypto';
import { p, Type } from '@mikro-orm/core';
import { isoTimestamp } from './scalars.ts';

/** A `timestamptz(3)` as the faces show it: ISO 8601, UTC, milliseconds. */
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

/** Initially equal to `created_at`, which must be declared before it. */
export const updated_at = () =>
  timestamp()
    .defaultRaw('now()')
    .onCreate((row: { created_at: string }) => row.created_at)
    .onUpdate(now);
