import { type NotificationFeed, NotificationListener, OwnedCache } from '#notified-cache';
import type { Database } from '../../engine/database.ts';
import type { Log } from '../../kernel/request.ts';
import { type ActiveKey, findActiveKey, findSessionAccess, type SessionAccess } from './access.read.ts';

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
export class Access {
  readonly #listener = new NotificationListener(this, { channel: 'access_changed', subject: 'access' });
  readonly #sessions = new OwnedCache<SessionAccess>(({ userId }) => userId, true);
  readonly #listeners = new Set<AccessListenerOf>();
  #listening = false;
  // anyone can make up secrets of keys
  readonly #keys = new OwnedCache<ActiveKey>(({ userId }) => userId, false);

  /**
   * Resolves after the first attempt, successful or not; a connection that fails or is lost is reopened after a delay.
   * @param feed the notifications of the primary database
   */
  async start(feed: NotificationFeed, log?: Log): Promise<void> {
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

  /** A notification names a session or a user; one that names neither means everybody. */
  changed({ session, user }: { session?: unknown; user?: unknown }): void {
    if (typeof session === 'string') this.forgetSession(session);
    else if (typeof user === 'string') this.forgetUser(user);
    else this.clear();
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
    this.#sessions.forgetOwner(userId);
    this.#keys.forgetOwner(userId);
    this.#tell({ userId });
  }

  #tell(whose: ChangedAccess): void {
    for (const listener of this.#listeners) listener(whose);
  }
}
