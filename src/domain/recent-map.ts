/** A map of the entries that were used last; the one used longest ago is dropped for one too many. */
export class RecentMap<Key, Value> {
  readonly #maxSize: number;
  /** In the order of use. */
  readonly #entries = new Map<Key, Value>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Looks an entry up, which uses it. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  /** Looks an entry up without using it. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#maxSize) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      break;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
