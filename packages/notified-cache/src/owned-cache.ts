import { LRUCache } from 'lru-cache';

/** Milliseconds in which an entry may be used. */
const maxAge = 5_000;
const maxEntries = 10_000;

interface Entry<Value> {
  /** Null if nothing has the key. */
  value: Value | null;
}

/**
 * Values that belong to an owner, by key. Every change increments the generation; a result that was read in an earlier generation may
 * predate the change and is not stored.
 */
export class OwnedCache<Value> {
  readonly #entries = new LRUCache<string, Entry<Value>>({
    max: maxEntries,
    ttl: maxAge,
    dispose: ({ value }, key) => this.#release(value, key),
  });
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #ownerOf: (value: Value) => string;
  readonly #keepsAbsent: boolean;
  #generation = 0;
  #enabled = false;

  /** @param keepsAbsent whether to cache that nothing has a key; not if anyone can make up keys */
  constructor(ownerOf: (value: Value) => string, keepsAbsent: boolean) {
    this.#ownerOf = ownerOf;
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

  forgetOwner(owner: string): void {
    this.#generation += 1;
    for (const key of [...(this.#keysOf.get(owner) ?? [])]) this.#entries.delete(key);
  }

  async #read(key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    const generation = this.#generation;
    const value = await read();
    const isKept = value !== null || this.#keepsAbsent;
    if (this.#enabled && isKept && generation === this.#generation) this.#keep(key, value);
    return value;
  }

  #keep(key: string, value: Value | null): void {
    this.#entries.set(key, { value });
    if (!value) return;
    const owner = this.#ownerOf(value);
    const others = this.#keysOf.get(owner);
    if (others) others.add(key);
    else this.#keysOf.set(owner, new Set([key]));
  }

  #release(value: Value | null, key: string): void {
    if (!value) return;
    const owner = this.#ownerOf(value);
    const keys = this.#keysOf.get(owner);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(owner);
  }
}
