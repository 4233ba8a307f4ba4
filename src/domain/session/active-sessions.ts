import { LRUCache } from 'lru-cache';
import type { Database } from '../../engine/database.ts';
import type { Log } from '../../kernel/request.ts';
import { findSessionAccess, type SessionAccess } from './access.read.ts';
import { type AccessChanges, AccessListener, type ChangeFeed } from './access-listener.ts';
import { type ActiveKey, findActiveKey } from './active-key.read.ts';

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
  readonly #keys = new AccessCache<ActiveKey>(false);

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
  findKey(db: Database, hash: string): ActiveKey | null | Promise<ActiveKey | null> {
    return this.#keys.find(hash, () => findActiveKey(db, hash));
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

/** Milliseconds for which an entry may be used. */
const maxAge = 5_000;
const maxEntries = 10_000;

interface Entry<Value> {
  /** Null if nothing active has the key; what has ended never becomes active again. */
  value: Value | null;
}

/**
 * Caches what sign-ins may do, by session or by key. Entries are used for at most five seconds, and only while it is
 * enabled. Every change increments the generation, and a result that was read in an earlier generation is not stored,
 * since it may predate the change.
 */
class AccessCache<Value extends { userId: string }> {
  readonly #entries = new LRUCache<string, Entry<Value>>({
    max: maxEntries,
    ttl: maxAge,
    dispose: ({ value }, key) => this.#forgetOwner(value, key),
  });
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #keepsAbsent: boolean;
  #generation = 0;
  #enabled = false;

  /** @param keepsAbsent whether to remember that nothing has a key; not if anyone can make up keys */
  constructor(keepsAbsent: boolean) {
    this.#keepsAbsent = keepsAbsent;
  }

  find(key: string, read: () => Promise<Value | null>): Value | null | Promise<Value | null> {
    const known = this.#entries.get(key);
    return known ? known.value : this.#read(key, read);
  }

  enable(): void {
    this.clear();
    this.#enabled = true;
  }

  disable(): void {
    this.#enabled = false;
    this.clear();
  }

  clear(): void {
    this.#generation += 1;
    this.#entries.clear();
  }

  forget(key: string): void {
    this.#generation += 1;
    this.#entries.delete(key);
  }

  forgetUser(userId: string): void {
    this.#generation += 1;
    for (const key of [...(this.#keysOf.get(userId) ?? [])]) this.#entries.delete(key);
  }

  async #read(key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    // a change that is notified during the query must not be overwritten by the older result
    const generation = this.#generation;
    const value = await read();
    const isKept = value !== null || this.#keepsAbsent;
    if (this.#enabled && isKept && generation === this.#generation) this.#keep(key, value);
    return value;
  }

  #keep(key: string, value: Value | null): void {
    this.#entries.set(key, { value });
    if (!value) return;
    const others = this.#keysOf.get(value.userId);
    if (others) others.add(key);
    else this.#keysOf.set(value.userId, new Set([key]));
  }

  #forgetOwner(value: Value | null, key: string): void {
    if (!value) return;
    const keys = this.#keysOf.get(value.userId);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(value.userId);
  }
}
