import type { Database } from '../../engine/database.ts';
import type { Log } from '../../kernel/request.ts';
import { findSessionAccess, type SessionAccess } from './access.read.ts';
import { AccessCache } from './access-cache.ts';
import { type AccessChanges, AccessListener, type ChangeFeed } from './access-listener.ts';
import { findKeyAccess, type KeyAccess } from './key-access.read.ts';

/** Whose access may have changed: that of a session, of a user or key, or of anybody. */
export interface ChangedAccess {
  sessionId?: string;
  userId?: string;
}

type AccessListenerOf = (whose: ChangedAccess) => void;

/**
 * Caches which sessions and API keys are active, with the roles of their users, so that checking access usually needs no
 * statement.
 *
 * The database notifies every process of each change (`NOTIFY access_changed`). Entries are used while the listening
 * connection is up, and for at most five seconds; without the connection nothing is cached.
 */
export class Access implements AccessChanges {
  readonly #listener = new AccessListener(this);
  readonly #sessions = new AccessCache<SessionAccess>(true);
  readonly #listeners = new Set<AccessListenerOf>();
  #listening = false;
  // anyone can make up secrets of keys
  readonly #keys = new AccessCache<KeyAccess>(false);

  /**
   * Starts listening and caching. Resolves after the first attempt, successful or not; a connection that fails or is lost is
   * reopened after a delay.
   *
   * @param feed the notifications of the primary database
   * @param log receives a message when the connection is lost or cannot be opened
   */
  async start(feed: ChangeFeed, log?: Log): Promise<void> {
    await this.#listener.start(feed, log);
  }

  /** Closes the connection and disables the cache. */
  async stop(): Promise<void> {
    await this.#listener.stop();
  }

  /** An active session, with its user and memberships, or null. */
  findSession(db: Database, sessionId: string): SessionAccess | null | Promise<SessionAccess | null> {
    return this.#sessions.find(sessionId, () => findSessionAccess(db, sessionId));
  }

  /** The key with the hash of a secret, or null; one that is cached may have expired. */
  findKey(db: Database, hash: string): KeyAccess | null | Promise<KeyAccess | null> {
    return this.#keys.find(hash, () => findKeyAccess(db, hash));
  }

  /** Whether changes made by other processes are heard of. */
  get isListening(): boolean {
    return this.#listening;
  }

  /**
   * Calls `listener` when the access of a session or of a user has changed or may have changed, until the returned function is
   * called.
   */
  onChange(listener: AccessListenerOf): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  enable(): void {
    this.#listening = true;
    this.#sessions.enable();
    this.#keys.enable();
    this.#tell({});
  }

  disable(): void {
    this.#listening = false;
    this.#sessions.disable();
    this.#keys.disable();
  }

  clear(): void {
    this.#sessions.clear();
    this.#keys.clear();
    this.#tell({});
  }

  /** Evicts an ended session from this process's cache at once. */
  forgetSession(sessionId: string): void {
    this.#sessions.forget(sessionId);
    this.#tell({ sessionId });
  }

  /**
   * Evicts a user's sessions from this process's cache at once, after a change of memberships; or a key, whose user it is,
   * after its end.
   */
  forgetUser(userId: string): void {
    this.#sessions.forgetUser(userId);
    this.#keys.forgetUser(userId);
    this.#tell({ userId });
  }

  #tell(whose: ChangedAccess): void {
    for (const listener of this.#listeners) listener(whose);
  }
}
