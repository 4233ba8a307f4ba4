/** The bytes sent and the milliseconds waited for a client. */
interface Wait {
  bytes: number;
  milliseconds: number;
}

/** Milliseconds: shorter waits are merged, since a fast client causes thousands of them. */
const shortest = 500;

/**
 * Measures how fast a client reads. Only the time that the sender waits for the client counts, not the time that the client
 * waits for the database.
 */
export class Delivery {
  /** Roughly how many milliseconds of waiting are remembered. */
  readonly #remembered: number;
  readonly #waits: Wait[] = [];
  #since: number | null = null;

  /** @param remembered the longest period of waiting, in milliseconds, for which {@link speed} can be measured */
  constructor(remembered: number) {
    this.#remembered = remembered;
  }

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
    while (this.#waited() - (this.#waits[0] as Wait).milliseconds > this.#remembered) this.#waits.shift();
  }

  /** Bytes per second over the last `milliseconds` of waiting; null if the client was not waited for that long. */
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
