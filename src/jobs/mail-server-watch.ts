interface WatchOptions {
  /** Rejects if the server cannot be reached. */
  reach(): Promise<void>;
  /** Sends the mails that wait for the server. */
  resume(): Promise<void>;
}

/** Milliseconds between checks of an unreachable server, and the longest between them if it is back but refuses mails. */
const interval = { shortest: 2_000, longest: 60_000 };

/**
 * Sends waiting mails as soon as the mail server is back, before their next attempts are due. A server that can be reached but refuses,
 * such as one that allows few connections, is checked less and less often until it takes a mail.
 */
export class MailServerWatch {
  readonly #options: WatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #wait = interval.shortest;
  #stopped = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  noteAway(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => void this.#look(), this.#wait).unref();
  }

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
