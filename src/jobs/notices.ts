import type { Database } from '../domain/database.ts';
import { queueGatheredChanges } from '../domain/event/event-mails.ts';
import { queueDueReminders } from '../domain/event/reminder.ts';
import type { Log } from '../domain/request.ts';

interface NoticeOptions {
  db: Database;
  outbox: { nudge(): void };
  log: Log;
  /** Milliseconds between polls, and the maximum delay of a mail. */
  interval?: number;
}

/** Queues the mails that become due with time: gathered changes of events, and reminders. */
export function startNotices({ db, outbox, log, interval = 15_000 }: NoticeOptions): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const look = async () => {
    try {
      await db.transaction((unit) => queueGatheredChanges({ db: unit }));
      await db.transaction((unit) => queueDueReminders({ db: unit }));
      outbox.nudge();
    } catch (error) {
      log.warn({ err: error }, 'cannot queue due mails about events');
    }
    running = null;
  };
  // a database that hangs takes longer than the interval: what is due is queued by the next poll
  const timer = setInterval(() => {
    running ??= look();
  }, interval);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
