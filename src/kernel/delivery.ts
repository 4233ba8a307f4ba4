/** Bytes and milliseconds of waiting for a client. */
interface Wait {
  bytes: number;
  milliseconds: number;
}

/** Milliseconds: shorter waits count as one, since a fast client makes thousands. */
const shortest = 500;

/**
 * How fast a client takes what is sent to it. Only the time for which the sender waits for the client counts, not that for
 * which the client waits for the database.
 */
export class Delivery {
  /** Milliseconds of waiting that are remembered, more or less. */
  readonly #remembered: number;
  readonly #waits: Wait[] = [];
  #since: number | null = null;

  /** @param remembered milliseconds of waiting over which a speed can be asked for */
  constructor(remembered: number) {
    this.#remembered = remembered;
  }

  /** Counts bytes that the client takes until `taken` settles. */
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

  /** Bytes a second over the last so many milliseconds of waiting; null if there were not so many. */
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
