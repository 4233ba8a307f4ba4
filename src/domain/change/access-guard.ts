import { inStep, type MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { Signal } from '../../kernel/signal.ts';
import { accessExpiry, stillInOrganization } from '../session/access.ts';

/**
 * Why a long request ends: its token or key has expired; access has ended, for the reason in `error`; or it has run for the maximum
 * time, the service stops or the client is gone.
 */
export interface End {
  reason: 'expired' | 'refused' | 'over';
  error: DomainError | null;
}

/** Milliseconds: the longest life of a stream, and by how much it varies, so that clients do not reconnect all at once. */
const longestLife = 15 * 60_000;
const variation = 60_000;
/** Milliseconds between checks of access while this process is not notified of changes, and while it is. */
const checkInterval = { deaf: 4_000, listening: 60_000 };

/** Calls `end` when a long request must end, until the returned function is called. */
export function guardAccess(ctx: MemberContext, end: (end: End) => void): () => void {
  const { services, waits, viewer } = ctx;
  const { ending } = services.changes;
  const over = () => end({ reason: 'over', error: null });
  const expired = () => end({ reason: 'expired', error: new DomainError('INVALID_TOKEN') });
  ending.addEventListener('abort', over);
  waits.add(over);
  if (ending.aborted || waits.gone) over();
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
        // otherwise the database does not respond: the next tick checks again
        else checkedAt = Number.NEGATIVE_INFINITY;
      }
    }
  };
  void check();
  const unheard = services.access.onChange(({ sessionId, userId }) => {
    const concerns = sessionId ? sessionId === viewer.sessionId : userId === undefined || userId === viewer.userId;
    if (concerns) signal.wake();
  });
  const tick = () => {
    const every = services.access.isListening ? checkInterval.listening : checkInterval.deaf;
    if (Date.now() - checkedAt >= every) signal.wake();
  };
  const timers = [
    setTimeout(over, longestLife - Math.random() * variation),
    setTimeout(expired, Math.min(Math.max(0, accessExpiry(ctx) - Date.now()), longestLife)),
    setInterval(tick, checkInterval.deaf),
  ];
  for (const timer of timers) timer.unref();
  return () => {
    stopped = true;
    signal.wake();
    for (const timer of timers) clearTimeout(timer);
    unheard();
    ending.removeEventListener('abort', over);
    waits.delete(over);
  };
}
