import type { Log } from '../context.ts';
import type { AccessCache } from './access-cache.ts';

/** The part of a pooled `pg` client that we need. */
export interface ListenClient {
  query(statement: string): Promise<unknown>;
  on(event: 'notification', listener: (message: { channel: string; payload?: string | undefined }) => void): unknown;
  on(event: 'error' | 'end', listener: () => void): unknown;
  /** Gives the connection up; with `true` it is closed. */
  release(destroy: boolean): void;
}

/** Opens a connection that is the listener's own until it releases it. */
export type OpenListener = () => Promise<ListenClient>;

const channel = 'access_changed';
/** Milliseconds before a lost connection is opened again, doubled with every failure in a row. */
const firstDelay = 100;
const longestDelay = 10_000;

/** Keeps a connection that listens for changes of access, and a cache enabled for exactly as long as it stands. */
export class AccessListener {
  readonly #cache: AccessCache;
  #open: OpenListener | null = null;
  #log: Log | undefined;
  #client: ListenClient | null = null;
  #retry: NodeJS.Timeout | undefined;
  #delay = firstDelay;
  /** The attempt that is under way, so that stopping can wait for it. */
  #attempt: Promise<void> = Promise.resolve();

  constructor(cache: AccessCache) {
    this.#cache = cache;
  }

  async start(open: OpenListener, log?: Log): Promise<void> {
    if (this.#open) throw new Error('The listener was started already.');
    this.#open = open;
    this.#log = log;
    this.#delay = firstDelay;
    this.#attempt = this.#connect(open);
    await this.#attempt;
  }

  async stop(): Promise<void> {
    this.#open = null;
    clearTimeout(this.#retry);
    this.#cache.disable();
    await this.#attempt;
    this.#client?.release(true);
    this.#client = null;
  }

  async #connect(open: OpenListener): Promise<void> {
    let client: ListenClient | null = null;
    try {
      client = await open();
      const opened = client;
      let lost = false;
      const lose = () => {
        if (lost) return;
        lost = true;
        if (this.#client === opened) this.#lose(opened);
      };
      opened.on('error', lose);
      opened.on('end', lose);
      opened.on('notification', (message) => {
        if (message.channel === channel) this.#hear(message.payload);
      });
      await opened.query(`listen ${channel}`);
      if (lost) throw new Error('The connection was lost while it was set up.');
      this.#client = opened;
      this.#delay = firstDelay;
      // stopped in the meantime: `stop` waits for us and then releases the client
      if (this.#open === open) this.#cache.enable();
    } catch (error) {
      this.#log?.warn({ err: error }, 'cannot listen for changes of access; asking the database at every request');
      client?.release(true);
      this.#scheduleRetry();
    }
  }

  #lose(client: ListenClient): void {
    this.#client = null;
    this.#cache.disable();
    this.#log?.warn({}, 'lost the connection that listens for changes of access; asking the database at every request');
    client.release(true);
    this.#scheduleRetry();
  }

  #scheduleRetry(): void {
    const open = this.#open;
    if (!open) return;
    this.#retry = setTimeout(() => {
      if (this.#open === open) this.#attempt = this.#connect(open);
    }, this.#delay);
    // waiting for a lost database must not keep a process alive that has nothing else to do
    this.#retry.unref();
    this.#delay = Math.min(this.#delay * 2, longestDelay);
  }

  #hear(payload: string | undefined): void {
    const change = parseChange(payload);
    if (change.session !== undefined) this.#cache.forgetSession(change.session);
    else if (change.user !== undefined) this.#cache.forgetUser(change.user);
    else this.#cache.clear();
  }
}

/** Reads `{"session": id}`, `{"user": id, "organization": id}` or `{"all": true}`; anything else counts as the last. */
function parseChange(payload: string | undefined): { session?: string; user?: string } {
  try {
    const { session, user } = JSON.parse(payload ?? '') as Record<string, unknown>;
    if (typeof session === 'string') return { session };
    if (typeof user === 'string') return { user };
  } catch {
    // forgetting everything is always right
  }
  return {};
}
