/** How many uses of each key have not ended. */
export class Tally {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Counts a use of each key; returns what ends it. */
  begin(...keys: string[]): () => void {
    const add = (number: 1 | -1) => {
      for (const key of keys) {
        const count = this.of(key) + number;
        if (count > 0) this.#counts.set(key, count);
        else this.#counts.delete(key);
      }
    };
    add(1);
    return () => add(-1);
  }
}
