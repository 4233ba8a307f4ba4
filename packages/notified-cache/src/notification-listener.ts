import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** The part of a pooled `pg` client that is used. */
export interface ListenClient {
  query(statement: string): Promise<unknown>;
  on(event: 'notification', listener: (message: { channel: string; payload?: string | undefined }) => void): unknown;
  on(event: 'error' | 'end', listener: () => void): unknown;
  /** `true` closes the connection. */
  release(destroy: boolean): void;
}

export interface NotificationFeed {
  /** A dedicated connection, until the listener releases it. */
  open(): Promise<ListenClient>;
  /** Over a connection of the pool that writes. */
  notify(channel: string, payload: string): Promise<unknown>;
}

export interface NotifiedCache {
  enable(): void;
  disable(): void;
  /** @param change the object of a notification; an empty one, which may mean anything, for other payloads */
  changed(change: Readonly<Record<string, unknown>>): void;
}

/** Of pino. */
interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

interface ListenerOptions {
  channel: string;
  /** What changes, for the log. */
  subject: string;
  /** Milliseconds until the listener must have received its own notification. */
  patience?: number;
}

/** Milliseconds before a lost connection is reopened, doubled with each failure in a row. */
const firstDelay = 100;
const longestDelay = 10_000;

/**
 * Keeps a connection that listens for notifications, and enables a cache only while it is connected. A successful `listen` is
 * not enough: a pooler accepts and drops it, and the URL may lead to another database. So the listener must first receive a
 * notification that it sent over another connection.
 */
export class NotificationListener {
  readonly #cache: NotifiedCache;
  readonly #options: Required<ListenerOptions>;
  #stopping: AbortController | null = null;
  /** Ends after a stop. */
  #running: Promise<void> = Promise.resolve();

  constructor(cache: NotifiedCache, options: ListenerOptions) {
    this.#cache = cache;
    this.#options = { patience: 5_000, ...options };
  }

  /** Resolves after the first attempt, successful or not. */
  async start(feed: NotificationFeed, log?: Log): Promise<void> {
    if (this.#stopping) throw new Error('The listener has already been started.');
    this.#stopping = new AbortController();
    const { promise: tried, resolve } = Promise.withResolvers<void>();
    this.#running = this.#run(feed, log, this.#stopping.signal, resolve);
    await tried;
  }

  async stop(): Promise<void> {
    this.#stopping?.abort();
    await this.#running;
    this.#stopping = null;
  }

  async #run(feed: NotificationFeed, log: Log | undefined, signal: AbortSignal, tried: () => void): Promise<void> {
    const { subject } = this.#options;
    let delay = firstDelay;
    /** Only the first failure in a row is logged: attempts repeat every few seconds. */
    let isWarned = false;
    const warn = (fields: object, message: string) => {
      if (isWarned || signal.aborted) return;
      log?.warn(fields, `${message} for changes of ${subject}; querying the database on every request`);
      isWarned = true;
    };
    const works = () => {
      if (isWarned) log?.info({}, `listening for changes of ${subject} again`);
      isWarned = false;
      delay = firstDelay;
      tried();
    };
    while (!signal.aborted) {
      try {
        await this.#listen(feed, signal, works);
        warn({}, 'lost the connection that listens');
      } catch (error) {
        warn({ err: error }, 'cannot listen');
      }
      tried();
      // must not keep an idle process alive
      await sleep(delay, undefined, { signal, ref: false }).catch(() => undefined);
      delay = Math.min(delay * 2, longestDelay);
    }
  }

  /** Listens over a connection until it is lost. @throws Error if it does not work, or is lost while it is set up */
  async #listen(feed: NotificationFeed, signal: AbortSignal, works: () => void): Promise<void> {
    const { channel, patience } = this.#options;
    const client = await feed.open();
    const { promise: ended, resolve } = Promise.withResolvers<boolean>();
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      this.#cache.disable();
      client.release(true);
      resolve(false);
    };
    client.on('error', end);
    client.on('end', end);
    signal.addEventListener('abort', end);
    const probe = randomUUID();
    const heard = Promise.withResolvers<boolean>();
    client.on('notification', (message) => {
      if (message.channel !== channel) return;
      const change = parseChange(message.payload);
      if (change.probe === probe) heard.resolve(true);
      // another process tests its own connection
      else if (typeof change.probe !== 'string') this.#cache.changed(change);
    });
    try {
      signal.throwIfAborted();
      await client.query(`listen ${channel}`);
      await feed.notify(channel, JSON.stringify({ probe }));
      const late = sleep(patience, false, { signal, ref: false }).catch(() => false);
      const isHeard = await Promise.race([heard.promise, ended, late]);
      if (!isOpen) throw new Error('The connection was lost while it was set up.');
      if (!isHeard) throw new Error('LISTEN was accepted, but notifications do not arrive.');
      this.#cache.enable();
      works();
      await ended;
    } finally {
      end();
      signal.removeEventListener('abort', end);
    }
  }
}

function parseChange(payload = ''): Record<string, unknown> {
  try {
    return { ...(JSON.parse(payload) as object) };
  } catch {
    return {};
  }
}
