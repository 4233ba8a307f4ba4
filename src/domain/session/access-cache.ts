import type { SessionAccess } from './access.read.ts';

interface Entry {
  /** null means that there is no such active session; an ended session never becomes active again. */
  session: SessionAccess | null;
  expiresAt: number;
}

/**
 * Caches sessions for a short time, while it is enabled. Every change increments the generation, and a result that was read
 * under an earlier generation is not stored: it may predate the change.
 */
export class AccessCache {
  readonly #maxAge: number;
  readonly #maxEntries: number;
  /** In insertion order: the first is evicted first. */
  readonly #entries = new Map<string, Entry>();
  readonly #sessionsOf = new Map<string, Set<string>>();
  #generation = 0;
  #enabled = false;

  constructor(maxAge: number, maxEntries: number) {
    this.#maxAge = maxAge;
    this.#maxEntries = maxEntries;
  }

  /** Read it before querying the database, and pass it to `set`. */
  get generation(): number {
    return this.#generation;
  }

  enable(): void {
    this.clear();
    this.#enabled = true;
  }

  disable(): void {
    this.#enabled = false;
    this.clear();
  }

  /** The cached session; undefined if there is none. */
  get(sessionId: string): SessionAccess | null | undefined {
    const entry = this.#entries.get(sessionId);
    if (!entry) return undefined;
    if (entry.expiresAt > performance.now()) return entry.session;
    this.#drop(sessionId);
    return undefined;
  }

  set(sessionId: string, session: SessionAccess | null, generation: number): void {
    if (!this.#enabled || generation !== this.#generation) return;
    this.#drop(sessionId);
    this.#entries.set(sessionId, { session, expiresAt: performance.now() + this.#maxAge });
    if (session) {
      const others = this.#sessionsOf.get(session.userId);
      if (others) others.add(sessionId);
      else this.#sessionsOf.set(session.userId, new Set([sessionId]));
    }
    const [oldest] = this.#entries.size > this.#maxEntries ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#drop(oldest);
  }

  clear(): void {
    this.#generation += 1;
    this.#entries.clear();
    this.#sessionsOf.clear();
  }

  forgetSession(sessionId: string): void {
    this.#generation += 1;
    this.#drop(sessionId);
  }

  forgetUser(userId: string): void {
    this.#generation += 1;
    for (const sessionId of this.#sessionsOf.get(userId) ?? []) this.#drop(sessionId);
  }

  #drop(sessionId: string): void {
    const entry = this.#entries.get(sessionId);
    this.#entries.delete(sessionId);
    if (!entry?.session) return;
    const sessions = this.#sessionsOf.get(entry.session.userId);
    sessions?.delete(sessionId);
    if (sessions?.size === 0) this.#sessionsOf.delete(entry.session.userId);
  }
}
