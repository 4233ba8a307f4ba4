import { setTimeout as sleep } from 'node:timers/promises';

/** A claim that is renewed until it is released. */
export interface Lease {
  /** Aborts before another process may get the claim. */
  signal: AbortSignal;
  /** Stops renewing. */
  release(): void;
}

/**
 * Renews a claim of `seconds` until it is released. If it cannot be renewed, the signal aborts before the claim
 * expires, after three quarters of that time.
 *
 * @param since when it was requested, by `performance.now()`
 * @param renew returns whether the claim still existed
 */
export function holdLease(seconds: number, since: number, renew: () => Promise<boolean>): Lease {
  const lost = new AbortController();
  const released = new AbortController();
  let deadline: NodeJS.Timeout | undefined;
  const extend = (from: number) => {
    clearTimeout(deadline);
    const left = from + seconds * 750 - performance.now();
    deadline = setTimeout(() => lost.abort(new Error('The claim could not be renewed.')), Math.max(left, 0));
    deadline.unref();
  };
  const keep = async () => {
    while (!released.signal.aborted) {
      await sleep(seconds * 250, undefined, { signal: released.signal, ref: false });
      const from = performance.now();
      // an error says nothing about the claim: the next attempt may succeed before the deadline
      const stillOurs = await renew().catch(() => null);
      if (released.signal.aborted) return;
      if (stillOurs === true) extend(from);
      if (stillOurs === false) lost.abort(new Error('The claim was lost.'));
    }
  };
  extend(since);
  keep().catch(() => undefined);
  return {
    signal: lost.signal,
    release: () => {
      released.abort();
      clearTimeout(deadline);
    },
  };
}
