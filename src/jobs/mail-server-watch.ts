interface WatchOptions {
  /** Resolves if the server can be reached. */
  reach(): Promise<void>;
  /** Sends what waits for the server. */
  resume(): Promise<void>;
}

/** Milliseconds between looks at a server that is away, and the most that they become if it is back and refuses again. */
const interval = { shortest: 2_000, longest: 60_000 };

/**
 * Sends what waits for a mail server as soon as it is back, however late the next attempt of each mail would be. A server that can be
 * reached and still refuses, such as one that allows few connections, is tried less and less often until it takes a mail.
 */
export class MailServerWatch {
  readonly #options: WatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #wait = interval.shortest;
  #stopped = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** The server could not be reached. */
  noteAway(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => void this.#look(), this.#wait).unref();
  }

  /** The server has taken a mail. */
  noteTaken(): void {
    this.#wait = interval.shortest;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { reach, resume } = this.#options;
    try {
      await reach();
      await resume();
      this.#timer = undefined;
      this.#wait = Math.min(this.#wait * 2, interval.longest);
    } catch {
      this.#timer = undefined;
      this.noteAway();
    }
  }
}
