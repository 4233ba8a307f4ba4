interface Wait {
  bytes: number;
  milliseconds: number;
}

/** Milliseconds: shorter waits are merged, since a fast client causes thousands of them. */
const shortest = 500;
/** Milliseconds of waiting that are remembered. */
export const longest = 60_000;

/** Measures how fast a client reads: only the time that the sender waits for the client counts. */
export class Delivery {
  readonly #waits: Wait[] = [];
  #since: number | null = null;

  /** Counts bytes that the client reads until `taken` settles. */
  async wait(bytes: number, taken: Promise<void>): Promise<void> {
    this.#since = performance.now();
    await taken;
    const milliseconds = performance.now() - this.#since;
    this.#since = null;
    const last = this.#waits.at(-1);
    if (last && last.milliseconds < shortest) {
      last.bytes += bytes;
      last.milliseconds += milliseconds;
    } else this.#waits.push({ bytes, milliseconds });
    while (this.#waited() - (this.#waits[0] as Wait).milliseconds > longest) this.#waits.shift();
  }

  /** Bytes per second over the last `milliseconds` of waiting, at most {@link longest}; null if the client was not waited for that long. */
  speed(milliseconds: number): number | null {
    let waited = this.#since === null ? 0 : performance.now() - this.#since;
    let bytes = 0;
    for (const wait of this.#waits.toReversed()) {
      if (waited >= milliseconds) break;
      bytes += wait.bytes;
      waited += wait.milliseconds;
    }
    return waited < milliseconds ? null : (bytes * 1000) / waited;
  }

  #waited(): number {
    return this.#waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  }
}
