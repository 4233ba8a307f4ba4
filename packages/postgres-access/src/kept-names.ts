import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'pg';
import { protocolOf } from './driver.ts';

/** How many texts are kept prepared; of one user fewer, so that many selections of fields displace no common statements. */
const max = { kept: 200, ofUser: 100 };
/** Longer statements insert many rows or have many conditions: their texts rarely recur. */
const maxLength = 5_000;
/** From this number on, a connection keeps only names whose texts are kept. */
const maxOnConnection = 2 * max.kept;

const prefix = 'kept_';

/** The names of all kept texts. */
const names = new Set<string>();

/** The names under which connections keep statements prepared. They follow from the texts, so all connections share them. */
export class KeptNames {
  /** By text. */
  readonly #kept = new LRUCache<string, { name: string; user: string | null }>({
    max: max.kept,
    dispose: ({ name }) => names.delete(name),
  });

  /** The name of a statement; empty if it is not kept. @param user null if the text does not depend on what somebody selects */
  of(text: string, user: string | null): string {
    if (text.length > maxLength) return '';
    const known = this.#kept.get(text);
    if (known) return known.name;
    // most recently used first
    const own = user === null ? [] : [...this.#kept.entries()].filter(([, kept]) => kept.user === user);
    for (const [oldest] of own.slice(max.ofUser - 1)) this.#kept.delete(oldest);
    const name = prefix + hash('sha256', text).slice(0, 32);
    this.#kept.set(text, { name, user });
    names.add(name);
    return name;
  }
}

/** Before a connection with many statements prepares another one, deallocates those that are no longer kept. */
export function makeRoom(connection: Connection, name: string): void {
  const { parsedStatements } = protocolOf(connection);
  if (parsedStatements[name] !== undefined) return;
  const parsed = Object.keys(parsedStatements);
  if (parsed.length < maxOnConnection) return;
  for (const each of parsed.filter((known) => known.startsWith(prefix) && !names.has(known))) {
    protocolOf(connection).close({ type: 'S', name: each });
    delete parsedStatements[each];
  }
}
