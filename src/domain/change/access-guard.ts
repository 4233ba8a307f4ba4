import { inStep, type MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { Signal } from '../../kernel/signal.ts';
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
 * Calls `end` when a long request must end: when its token or key expires, when its session, key or membership ends or its role
 * changes, when its client is gone, when the service stops, and after its time.
 *
 * @returns ends this
 */
export function guardAccess(ctx: MemberContext, end: (end: End) => void): () => void {
  const { services, waits, viewer } = ctx;
  const { ending } = services.changes;
  const over = () => end({ reason: 'over', error: null });
  const expired = () => end({ reason: 'expired', error: new DomainError('INVALID_TOKEN') });
  const timers = [
    setTimeout(over, longestLife - Math.random() * variation),
    setTimeout(expired, Math.min(Math.max(0, accessExpiry(ctx) - Date.now()), longestLife)),
  ];
  ending.addEventListener('abort', over);
  waits.add(over);
  if (ending.aborted || waits.isGone) over();
  let checkedAt = Date.now();
  let stopped = false;
  const signal = new Signal();
  const check = async () => {
    for (await signal.wait(); !stopped; await signal.wait()) {
      try {
        await inStep(ctx, stillInOrganization);
        checkedAt = Date.now();
      } catch (error) {
        if (error instanceof DomainError && error.retryAfter === undefined) end({ reason: 'refused', error });
        // otherwise the database cannot be asked: the next tick checks again
        else checkedAt = Number.NEGATIVE_INFINITY;
      }
    }
  };
  void check();
  const unheard = services.access.onChange(({ sessionId, userId }) => {
    const concerns = sessionId ? sessionId === viewer.sessionId : userId === undefined || userId === viewer.userId;
    if (concerns) signal.wake();
  });
  const looking = setInterval(() => {
    const every = services.access.isListening ? checkInterval.listening : checkInterval.deaf;
    if (Date.now() - checkedAt >= every) signal.wake();
  }, checkInterval.deaf);
  for (const timer of [...timers, looking]) timer.unref();
  return () => {
    stopped = true;
    signal.wake();
    for (const timer of timers) clearTimeout(timer);
    clearInterval(looking);
    unheard();
    ending.removeEventListener('abort', over);
    waits.delete(over);
  };
}
