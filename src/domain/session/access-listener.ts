import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../kernel/request.ts';

/** The part of a pooled `pg` client that is used. */
export interface ListenClient {
  query(statement: string): Promise<unknown>;
  on(event: 'notification', listener: (message: { channel: string; payload?: string | undefined }) => void): unknown;
  on(event: 'error' | 'end', listener: () => void): unknown;
  /** `true` closes the connection. */
  release(destroy: boolean): void;
}

export interface ChangeFeed {
  /** A dedicated connection, until the listener releases it. */
  open(): Promise<ListenClient>;
  /** Over a connection of the writing pool. */
  notify(channel: string, payload: string): Promise<unknown>;
}

export interface AccessChanges {
  enable(): void;
  disable(): void;
  clear(): void;
  forgetSession(sessionId: string): void;
  forgetUser(userId: string): void;
}

const channel = 'access_changed';
/** Milliseconds before a lost connection is reopened, doubled with each failure in a row. */
const firstDelay = 100;
const longestDelay = 10_000;

/**
 * Keeps a connection that listens for changes of access, and enables a cache only while it is connected. A successful `listen`
 * is not enough: a pooler accepts and drops it, and the URL may lead to another database. So the listener must first receive
 * a notification that it sent over another connection (note 0027).
 */
export class AccessListener {
  readonly #cache: AccessChanges;
  readonly #patience: number;
  #feed: ChangeFeed | null = null;
  #log: Log | undefined;
  #client: ListenClient | null = null;
  #retry: NodeJS.Timeout | undefined;
  #delay = firstDelay;
  /** The current attempt; stopping waits for it. */
  #attempt: Promise<void> = Promise.resolve();
  #stopping = new AbortController();
  #warned = false;

  /** @param patience milliseconds until the listener must have received its own notification */
  constructor(cache: AccessChanges, patience = 5_000) {
    this.#cache = cache;
    this.#patience = patience;
  }

  async start(feed: ChangeFeed, log?: Log): Promise<void> {
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

  async #connect(feed: ChangeFeed): Promise<void> {
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
        else this.#apply(change);
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
      this.#warn({ err: error }, 'cannot listen for changes of access; querying the database on every request');
      this.#scheduleRetry();
    }
  }

  async #inTime(heard: Promise<void>): Promise<void> {
    const late = sleep(this.#patience, 'late', { signal: this.#stopping.signal, ref: false }).catch(() => 'late');
    if ((await Promise.race([heard, late])) === 'late') {
      throw new Error('LISTEN was accepted, but notifications do not arrive.');
    }
  }

  #enable(): void {
    this.#cache.enable();
    if (this.#warned) this.#log?.info({}, 'listening for changes of access again');
    this.#warned = false;
  }

  #lose(client: ListenClient): void {
    this.#client = null;
    this.#cache.disable();
    this.#warn({}, 'lost the connection that listens for changes of access; querying the database on every request');
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

  #apply({ probe, session, user }: Change): void {
    // another process tests its own connection
    if (probe !== undefined) return;
    if (session !== undefined) this.#cache.forgetSession(session);
    else if (user !== undefined) this.#cache.forgetUser(user);
    else this.#cache.clear();
  }
}

interface Change {
  probe?: string;
  session?: string;
  user?: string;
}

/** `{"session": id}`, `{"user": id, "organization": id}`, `{"probe": id}`, or anything else, which means everybody. */
function parseChange(payload: string | undefined): Change {
  try {
    const { probe, session, user } = JSON.parse(payload ?? '') as Record<string, unknown>;
    if (typeof probe === 'string') return { probe };
    if (typeof session === 'string') return { session };
    if (typeof user === 'string') return { user };
  } catch {
    // evicting everything is always correct
  }
  return {};
}
