/** What reference/sign-in.md says of one session, in a few lines: the oracle of the tests that drive real ones. */
export interface ModelSession {
  id: string;
  /** The cookie of each counter that was handed out so far. */
  cookies: string[];
  accessToken: string;
  counter: number;
  ended: boolean;
  /** Seconds of the model's clock. */
  createdAt: number;
  lastUsedAt: number;
  rotatedAt: number | null;
}

const day = 24 * 60 * 60;

/** Sessions of one user, as reference/sign-in.md has them. */
export class SessionModel {
  now = 0;
  readonly sessions: ModelSession[] = [];
  readonly graceSeconds: number;
  readonly maxDays: number;

  constructor(graceSeconds: number, maxDays: number) {
    this.graceSeconds = graceSeconds;
    this.maxDays = maxDays;
  }

  lives(session: ModelSession): boolean {
    const old = this.now - session.createdAt >= this.maxDays * day;
    return !session.ended && !old && this.now - session.lastUsedAt < 30 * day;
  }

  living(): ModelSession[] {
    return this.sessions.filter((each) => this.lives(each));
  }

  login(id: string, cookie: string, accessToken: string): void {
    const times = { createdAt: this.now, lastUsedAt: this.now, rotatedAt: null };
    this.sessions.push({ id, cookies: [cookie], accessToken, counter: 0, ended: false, ...times });
  }

  /** What a refresh with the cookie of a counter does: the counter whose cookie it answers, or null for a refusal. */
  refresh(session: ModelSession, counter: number): number | null {
    if (!this.lives(session)) return null;
    if (counter === session.counter) {
      session.counter += 1;
      session.lastUsedAt = this.now;
      session.rotatedAt = this.now;
      return session.counter;
    }
    const parent = counter === session.counter - 1 && session.rotatedAt !== null;
    if (parent && this.now - (session.rotatedAt as number) < this.graceSeconds) return session.counter;
    session.ended = true;
    return null;
  }
}
