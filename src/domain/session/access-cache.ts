import { LRUCache } from 'lru-cache';

/** Milliseconds for which an entry may be used. */
const maxAge = 5_000;
const maxEntries = 10_000;

interface Entry<Value> {
  /** Null if nothing active has the key; what has ended never becomes active again. */
  value: Value | null;
}

/**
 * Caches what sign-ins may do, by session or by key. Entries are used for at most five seconds, and only while it is
 * enabled. Every change increments the generation, and a result that was read in an earlier generation is not stored,
 * since it may predate the change.
 */
export class AccessCache<Value extends { userId: string }> {
  readonly #entries = new LRUCache<string, Entry<Value>>({
    max: maxEntries,
    ttl: maxAge,
    dispose: ({ value }, key) => this.#forgetOwner(value, key),
  });
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #keepsAbsent: boolean;
  #generation = 0;
  #enabled = false;

  /** @param keepsAbsent whether to remember that nothing has a key; not if anyone can make up keys */
  constructor(keepsAbsent: boolean) {
    this.#keepsAbsent = keepsAbsent;
  }

  find(key: string, read: () => Promise<Value | null>): Value | null | Promise<Value | null> {
    const known = this.#entries.get(key);
    return known ? known.value : this.#read(key, read);
  }

  enable(): void {
    this.clear();
    this.#enabled = true;
  }

  disable(): void {
    this.#enabled = false;
    this.clear();
  }

  clear(): void {
    this.#generation += 1;
    this.#entries.clear();
  }

  forget(key: string): void {
    this.#generation += 1;
    this.#entries.delete(key);
  }

  forgetUser(userId: string): void {
    this.#generation += 1;
    for (const key of [...(this.#keysOf.get(userId) ?? [])]) this.#entries.delete(key);
  }

  async #read(key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    // a change that is notified during the query must not be overwritten by the older result
    const generation = this.#generation;
    const value = await read();
    const isKept = value !== null || this.#keepsAbsent;
    if (this.#enabled && isKept && generation === this.#generation) this.#keep(key, value);
    return value;
  }

  #keep(key: string, value: Value | null): void {
    this.#entries.set(key, { value });
    if (!value) return;
    const others = this.#keysOf.get(value.userId);
    if (others) others.add(key);
    else this.#keysOf.set(value.userId, new Set([key]));
  }

  #forgetOwner(value: Value | null, key: string): void {
    if (!value) return;
    const keys = this.#keysOf.get(value.userId);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(value.userId);
  }
}
