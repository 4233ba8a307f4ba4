import { inStep, type MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { accessExpiry, stillInOrganization } from '../session/access.ts';

/**
 * Why a long request ends: its token or key has expired; access has ended, as the error says; or its time is over, the service
 * stops or the client is gone.
 */
export interface End {
  reason: 'expired' | 'refused' | 'over';
  error: DomainError | null;
}

/** Milliseconds: the longest life of a stream, and by how much it varies, so that not all come back at once. */
const longestLife = 15 * 60_000;
const variation = 60_000;
/** Milliseconds between two checks of access while changes are not heard of, and while they are. */
const checkInterval = { deaf: 4_000, listening: 60_000 };

/**
 * Ends a long request: when its token or key expires, when its session, key or membership ends or its role changes, when its
 * client is gone, when the service stops, and after its time.
 */
export class AccessGuard {
  readonly #ctx: MemberContext;
  readonly #wake: () => void;
  /** Why the request must end; null if it may go on. */
  end: End | null = null;
  readonly #undo: (() => void)[] = [];
  #checking = false;
  #again = false;
  #checkedAt = Date.now();

  /** @param wake called when the request must end */
  constructor(ctx: MemberContext, wake: () => void) {
    this.#ctx = ctx;
    this.#wake = wake;
  }

  start(): void {
    const { services, waits, viewer } = this.#ctx;
    const over = () => this.#finish('over');
    this.#after(accessExpiry(this.#ctx) - Date.now(), () => this.#finish('expired', new DomainError('INVALID_TOKEN')));
    this.#after(longestLife - Math.random() * variation, over);
    const { ending } = services.changes;
    if (ending.aborted) over();
    ending.addEventListener('abort', over);
    if (waits.isGone) over();
    waits.add(over);
    const unheard = services.access.onChange(({ sessionId, userId }) => {
      const concerns = sessionId ? sessionId === viewer.sessionId : userId === undefined || userId === viewer.userId;
      if (concerns) void this.#check();
    });
    const timer = setInterval(() => {
      const every = services.access.isListening ? checkInterval.listening : checkInterval.deaf;
      if (Date.now() - this.#checkedAt >= every) void this.#check();
    }, checkInterval.deaf).unref();
    this.#undo.push(
      () => ending.removeEventListener('abort', over),
      () => waits.delete(over),
      unheard,
      () => clearInterval(timer),
    );
  }

  /** Ends the request for a reason of its own. */
  refuse(error: DomainError): void {
    this.#finish('refused', error);
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  #after(milliseconds: number, job: () => void): void {
    if (milliseconds > longestLife) return;
    const timer = setTimeout(job, Math.max(0, milliseconds)).unref();
    this.#undo.push(() => clearTimeout(timer));
  }

  #finish(reason: End['reason'], error: DomainError | null = null): void {
    this.end ??= { reason, error };
    this.#wake();
  }

  async #check(): Promise<void> {
    this.#again = true;
    if (this.#checking) return;
    this.#checking = true;
    try {
      while (this.#again && !this.end) {
        this.#again = false;
        await inStep(this.#ctx, stillInOrganization);
        this.#checkedAt = Date.now();
      }
    } catch (error) {
      if (error instanceof DomainError && error.retryAfter === undefined) this.refuse(error);
      // otherwise the database cannot be asked: the next look at the clock tries again
      else this.#checkedAt = Number.NEGATIVE_INFINITY;
    } finally {
      this.#checking = false;
    }
  }
}
