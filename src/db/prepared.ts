import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { preparedMark } from '../domain/database.ts';

/** How many statements are prepared under a name; those that come later run without one. */
const maxNames = 200;
const names = new Map<string, string>();

/**
 * Lets a connection keep the plans of the statements that ask for it: PostgreSQL then neither parses nor, once a generic
 * plan has proven no dearer, plans them again. The name follows from the text, so every connection shares the names.
 */
export function prepareMarked(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const named = (...args: unknown[]): unknown => {
    const [text, values, ...rest] = args;
    const name = typeof text === 'string' && text.startsWith(preparedMark) ? nameOf(text) : undefined;
    return name === undefined ? query(...args) : query({ name, text, values }, ...rest);
  };
  client.query = named as PoolClient['query'];
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = `gateway_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
