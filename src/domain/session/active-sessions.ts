import { LRUCache } from 'lru-cache';
import type { Database } from '../../engine/database.ts';
import type { Log } from '../../kernel/request.ts';
import { findSessionAccess, type SessionAccess } from './access.read.ts';
import { type AccessChanges, AccessListener, type ChangeFeed } from './access-listener.ts';

/** Milliseconds for which an entry may be used. */
const maxAge = 5_000;
const maxEntries = 10_000;

interface Entry {
  /** null if there is no such active session; an ended session never becomes active again. */
  session: SessionAccess | null;
}

/**
 * Caches which sessions are active, with the roles of their users, so that checking access usually needs no statement.
 *
 * The database notifies every process of each change (`NOTIFY access_changed`). Entries are used while the listening
 * connection is up, and for at most five seconds; without the connection nothing is cached. Every change increments the
 * generation, and a result that was read in an earlier generation is not stored, since it may predate the change.
 */
export class Access implements AccessChanges {
  readonly #listener = new AccessListener(this);
  readonly #entries = new LRUCache<string, Entry>({
    max: maxEntries,
    ttl: maxAge,
    dispose: ({ session }, sessionId) => this.#forgetOwner(session, sessionId),
  });
  readonly #sessionsOf = new Map<string, Set<string>>();
  #generation = 0;
  #enabled = false;

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
    const known = this.#entries.get(sessionId);
    return known ? known.session : this.#read(db, sessionId);
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

  /** Evicts an ended session from this process's cache at once. */
  forgetSession(sessionId: string): void {
    this.#generation += 1;
    this.#entries.delete(sessionId);
  }

  /** Evicts a user's sessions from this process's cache at once, after a change of memberships. */
  forgetUser(userId: string): void {
    this.#generation += 1;
    for (const sessionId of [...(this.#sessionsOf.get(userId) ?? [])]) this.#entries.delete(sessionId);
  }

  async #read(db: Database, sessionId: string): Promise<SessionAccess | null> {
    // a change that is notified during the query must not be overwritten by the older result
    const generation = this.#generation;
    const session = await findSessionAccess(db, sessionId);
    if (this.#enabled && generation === this.#generation) this.#keep(sessionId, session);
    return session;
  }

  #keep(sessionId: string, session: SessionAccess | null): void {
    this.#entries.set(sessionId, { session });
    if (!session) return;
    const others = this.#sessionsOf.get(session.userId);
    if (others) others.add(sessionId);
    else this.#sessionsOf.set(session.userId, new Set([sessionId]));
  }

  #forgetOwner(session: SessionAccess | null, sessionId: string): void {
    if (!session) return;
    const sessions = this.#sessionsOf.get(session.userId);
    sessions?.delete(sessionId);
    if (sessions?.size === 0) this.#sessionsOf.delete(session.userId);
  }
}
