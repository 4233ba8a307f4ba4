import type { Database } from '../../engine/database.ts';
import type { Log } from '../../kernel/request.ts';
import { findSessionAccess, type SessionAccess } from './access.read.ts';
import { AccessCache } from './access-cache.ts';
import { AccessListener, type ChangeFeed } from './access-listener.ts';

/**
 * Caches which sessions are active and the roles of their users, so that a request usually costs no statement.
 *
 * The database notifies every process of each change (`NOTIFY access_changed`). Entries are trusted while that connection
 * is up, and for at most five seconds; without the connection nothing is cached.
 */
export class Access {
  readonly #cache: AccessCache;
  readonly #listener: AccessListener;

  /**
   * @param options.maxAge milliseconds for which an entry may be used
   * @param options.maxEntries how many sessions are cached
   */
  constructor(options: { maxAge?: number; maxEntries?: number } = {}) {
    this.#cache = new AccessCache(options.maxAge ?? 5_000, options.maxEntries ?? 10_000);
    this.#listener = new AccessListener(this.#cache);
  }

  /**
   * Starts to listen and to cache. Returns after the first attempt, successful or not; a connection that fails or breaks
   * is reopened after a delay.
   *
   * @param feed the notifications of the primary database
   * @param log gets a message when the connection is lost or cannot be opened
   */
  async start(feed: ChangeFeed, log?: Log): Promise<void> {
    await this.#listener.start(feed, log);
  }

  /** Closes the connection and disables the cache. */
  async stop(): Promise<void> {
    await this.#listener.stop();
  }

  /** An active session, with its user and memberships, or null. */
  async findSession(db: Database, sessionId: string): Promise<SessionAccess | null> {
    const known = this.#cache.get(sessionId);
    if (known !== undefined) return known;
    // a change during the query is notified meanwhile, and must not be overwritten by the older result
    const generation = this.#cache.generation;
    const session = await findSessionAccess(db, sessionId);
    this.#cache.set(sessionId, session, generation);
    return session;
  }

  /** Evicts an ended session from this process's cache at once. */
  forgetSession(sessionId: string): void {
    this.#cache.forgetSession(sessionId);
  }

  /** Evicts a user's sessions from this process's cache at once, after a change of memberships. */
  forgetUser(userId: string): void {
    this.#cache.forgetUser(userId);
  }
}
