import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'pg';
import { protocolOf } from './driver.ts';

/** How many texts are kept prepared; of one user fewer, so that many selections of fields displace no common statements. */
const max = { kept: 400, ofUser: 100 };
/** Longer statements insert many rows or have many conditions: their texts rarely recur. */
const maxLength = 5_000;

const prefix = 'kept_';

/** The names of all kept texts. */
const names = new Set<string>();

/** By text. */
const kept = new LRUCache<string, { name: string; user: string | null }>({
  max: max.kept,
  dispose: ({ name }) => names.delete(name),
});

/**
 * The name under which connections keep a statement prepared; empty if it is not kept. It follows from the text, so all connections share it.
 * @param user null if the text does not depend on what somebody selects
 */
export function keptName(text: string, user: string | null): string {
  if (text.length > maxLength) return '';
  const known = kept.get(text);
  if (known) return known.name;
  // most recently used first
  const own = user === null ? [] : [...kept.entries()].filter(([, each]) => each.user === user);
  for (const [oldest] of own.slice(max.ofUser - 1)) kept.delete(oldest);
  const name = prefix + hash('sha256', text).slice(0, 32);
  kept.set(text, { name, user });
  names.add(name);
  return name;
}

/** Before a connection with many statements prepares another one, deallocates those that are no longer kept. */
export function makeRoom(connection: Connection, name: string): void {
  const { parsedStatements } = protocolOf(connection);
  if (parsedStatements[name] !== undefined) return;
  const parsed = Object.keys(parsedStatements);
  if (parsed.length < max.kept) return;
  for (const each of parsed.filter((known) => known.startsWith(prefix) && !names.has(known))) {
    protocolOf(connection).close({ type: 'S', name: each });
    delete parsedStatements[each];
  }
}
