/** Ends what takes longer than it may, or what its caller gives up. */
export class TimeLimit {
  readonly #cut = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #given: AbortSignal | undefined;
  /** Whether the time is over. */
  isOver = false;

  constructor(milliseconds: number, given?: AbortSignal) {
    this.#given = given;
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#giveUp();
    }, milliseconds);
    if (given?.aborted) this.#giveUp();
    given?.addEventListener('abort', this.#giveUp);
  }

  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  /** Waits for a promise no longer than the limit. */
  async race<Value>(promise: Promise<Value>): Promise<Value> {
    const { promise: cut, reject } = Promise.withResolvers<never>();
    const abort = () => reject(this.signal.reason);
    if (this.signal.aborted) abort();
    this.signal.addEventListener('abort', abort);
    try {
      return await Promise.race([promise, cut]);
    } finally {
      this.signal.removeEventListener('abort', abort);
    }
  }

  /** The work is done: nothing is ended any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#given?.removeEventListener('abort', this.#giveUp);
  }

  readonly #giveUp = () => this.#cut.abort(this.#given?.reason);
}
