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
  #feed: NotificationFeed | null = null;
  #log: Log | undefined;
  #client: ListenClient | null = null;
  #retry: NodeJS.Timeout | undefined;
  #delay = firstDelay;
  /** The current attempt; stopping waits for it. */
  #attempt: Promise<void> = Promise.resolve();
  #stopping = new AbortController();
  #warned = false;

  constructor(cache: NotifiedCache, options: ListenerOptions) {
    this.#cache = cache;
    this.#options = { patience: 5_000, ...options };
  }

  async start(feed: NotificationFeed, log?: Log): Promise<void> {
    if (this.#feed) throw new Error('The listener has already been started.');
    this.#feed = feed;
    this.#log = log;
    this.#delay = firstDelay;
    this.#stopping = new AbortController();
    this.#attempt = this.#connect(feed);
    await this.#attempt;
  }

  async stop(): Promise<void> {
    this.#feed = null;
    this.#stopping.abort();
    clearTimeout(this.#retry);
    this.#cache.disable();
    await this.#attempt;
    this.#client?.release(true);
    this.#client = null;
  }

  async #connect(feed: NotificationFeed): Promise<void> {
    const { channel, subject } = this.#options;
    let client: ListenClient | null = null;
    try {
      client = await feed.open();
      const opened = client;
      let lost = false;
      const lose = () => {
        if (lost) return;
        lost = true;
        if (this.#client === opened) this.#lose(opened);
      };
      opened.on('error', lose);
      opened.on('end', lose);
      const probe = randomUUID();
      const heard = Promise.withResolvers<void>();
      opened.on('notification', (message) => {
        if (message.channel !== channel) return;
        const change = parseChange(message.payload);
        if (change.probe === probe) heard.resolve();
        // another process tests its own connection
        else if (typeof change.probe !== 'string') this.#cache.changed(change);
      });
      await opened.query(`listen ${channel}`);
      await feed.notify(channel, JSON.stringify({ probe }));
      await this.#inTime(heard.promise);
      if (lost) throw new Error('The connection was lost while it was set up.');
      this.#client = opened;
      this.#delay = firstDelay;
      // not if stopped in the meantime: `stop` waits for this attempt, then releases the client
      if (this.#feed === feed) this.#enable();
    } catch (error) {
      client?.release(true);
      this.#warn({ err: error }, `cannot listen for changes of ${subject}; querying the database on every request`);
      this.#scheduleRetry();
    }
  }

  async #inTime(heard: Promise<void>): Promise<void> {
    const late = sleep(this.#options.patience, 'late', { signal: this.#stopping.signal, ref: false }).catch(
      () => 'late',
    );
    if ((await Promise.race([heard, late])) === 'late') {
      throw new Error('LISTEN was accepted, but notifications do not arrive.');
    }
  }

  #enable(): void {
    this.#cache.enable();
    if (this.#warned) this.#log?.info({}, `listening for changes of ${this.#options.subject} again`);
    this.#warned = false;
  }

  #lose(client: ListenClient): void {
    this.#client = null;
    this.#cache.disable();
    const { subject } = this.#options;
    this.#warn(
      {},
      `lost the connection that listens for changes of ${subject}; querying the database on every request`,
    );
    client.release(true);
    this.#scheduleRetry();
  }

  /** Logs only the first failure in a row: attempts repeat every few seconds. */
  #warn(fields: object, message: string): void {
    if (!this.#warned && this.#feed) this.#log?.warn(fields, message);
    this.#warned = true;
  }

  #scheduleRetry(): void {
    const feed = this.#feed;
    if (!feed) return;
    this.#retry = setTimeout(() => {
      if (this.#feed === feed) this.#attempt = this.#connect(feed);
    }, this.#delay);
    // must not keep an idle process alive
    this.#retry.unref();
    this.#delay = Math.min(this.#delay * 2, longestDelay);
  }
}

function parseChange(payload = ''): Record<string, unknown> {
  try {
    return { ...(JSON.parse(payload) as object) };
  } catch {
    return {};
  }
}
