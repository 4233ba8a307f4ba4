import { queueGatheredChanges } from '../domain/event/event-mails.ts';
import { queueDueReminders } from '../domain/event/reminder.ts';
import type { Services } from '../domain/services.ts';
import { FanOutWalker } from '../domain/subscription/walk-fan-out.ts';
import type { Database } from '../engine/database.ts';
import type { Log } from '../kernel/request.ts';

interface NoticeOptions {
  db: Database;
  outbox: Pick<Services['outbox'], 'nudge'>;
  log: Log;
  /** Whether mails beyond a recipient's budget become a digest. */
  bounded: boolean;
  /** Milliseconds between polls, and so the maximum delay of a mail that becomes due with time. */
  interval?: number;
}

/**
 * Queues the mails about events: those that become due with time (gathered changes and reminders), and the notices to
 * subscribers, piece by piece.
 */
export class Notices {
  readonly #options: NoticeOptions;
  readonly #walker: FanOutWalker;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #walking: Promise<void> | null = null;
  #again = false;
  #stopped = true;

  constructor(options: NoticeOptions) {
    this.#options = options;
    this.#walker = new FanOutWalker(options);
  }

  start(): void {
    this.#stopped = false;
    this.#timer = setInterval(() => {
      // a hanging database may take longer than the interval; the next poll then queues what is due
      this.#looking ??= this.#look();
    }, this.#options.interval ?? 15_000);
    this.#timer.unref();
  }

  /** Starts queueing the mails of notices now; returns before any is queued. */
  nudge(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#walking ??= this.#walk();
  }

  /** Ends after the current piece. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#looking;
    await this.#walking;
  }

  /** Creates the notices that have become due, without waiting until the mails of other notices are queued. */
  async #look(): Promise<void> {
    try {
      await queueGatheredChanges(this.#options);
      if (!this.#stopped) await queueDueReminders(this.#options);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'cannot look for due mails about events');
    }
    this.nudge();
    this.#looking = null;
  }

  async #walk(): Promise<void> {
    const { outbox, log } = this.#options;
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        // queued mails are sent while the rest is being queued
        while (!this.#stopped && (await this.#walker.walk())) outbox.nudge('events');
      }
    } catch (error) {
      log.warn({ err: error }, 'cannot queue mails about events');
    }
    this.#walking = null;
  }
}
