import { LRUCache } from 'lru-cache';
import type { Database } from '../../engine/database.ts';
import type { Log } from '../../kernel/request.ts';
import { findSessionAccess, type SessionAccess } from './access.read.ts';
import { type AccessChanges, AccessListener, type ChangeFeed } from './access-listener.ts';
import { type ActiveKey, findActiveKey } from './active-key.read.ts';

/** That of a session, of a user or key, or of anybody. */
export interface ChangedAccess {
  sessionId?: string;
  userId?: string;
}

type AccessListenerOf = (whose: ChangedAccess) => void;

/**
 * Caches which sessions and API keys are active, with the roles of their users. The database notifies every process of each
 * change (`NOTIFY access_changed`). Entries are used while the listening connection is up, for at most five seconds.
 */
export class Access implements AccessChanges {
  readonly #listener = new AccessListener(this);
  readonly #sessions = new AccessCache<SessionAccess>(true);
  readonly #listeners = new Set<AccessListenerOf>();
  #listening = false;
  // anyone can make up secrets of keys
  readonly #keys = new AccessCache<ActiveKey>(false);

  /**
   * Resolves after the first attempt, successful or not; a connection that fails or is lost is reopened after a delay.
   * @param feed the notifications of the primary database
   */
  async start(feed: ChangeFeed, log?: Log): Promise<void> {
    await this.#listener.start(feed, log);
  }

  async stop(): Promise<void> {
    await this.#listener.stop();
  }

  findSession(db: Database, sessionId: string): SessionAccess | null | Promise<SessionAccess | null> {
    return this.#sessions.find(sessionId, () => findSessionAccess(db, sessionId));
  }

  /** A cached key may have expired. */
  findKey(db: Database, hash: string): ActiveKey | null | Promise<ActiveKey | null> {
    return this.#keys.find(hash, () => findActiveKey(db, hash));
  }

  get isListening(): boolean {
    return this.#listening;
  }

  /** Calls `listener` when the access of somebody may have changed, until the returned function is called. */
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

  forgetSession(sessionId: string): void {
    this.#sessions.forget(sessionId);
    this.#tell({ sessionId });
  }

  /** In this process: a user's sessions after a change of memberships, or a key, whose user it is, after its end. */
  forgetUser(userId: string): void {
    this.#sessions.forgetUser(userId);
    this.#keys.forgetUser(userId);
    this.#tell({ userId });
  }

  #tell(whose: ChangedAccess): void {
    for (const listener of this.#listeners) listener(whose);
  }
}

/** Milliseconds in which an entry may be used. */
const maxAge = 5_000;
const maxEntries = 10_000;

interface Entry<Value> {
  /** Null if nothing active has the key; a session or key that ended never becomes active again. */
  value: Value | null;
}

/**
 * Access by session or by key. Every change increments the generation; a result that was read in an earlier generation may
 * predate the change and is not stored.
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

  /** @param keepsAbsent whether to cache that nothing has a key; not if anyone can make up keys */
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
