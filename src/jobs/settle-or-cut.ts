import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for attempts when the service stops: those that take longer than `patience` milliseconds are cut off. */
export async function settleOrCut(
  attempts: Iterable<Promise<unknown>>,
  cut: AbortController,
  patience: number,
): Promise<void> {
  const settled = Promise.all(attempts);
  const timeout = new AbortController();
  await Promise.race([settled, sleep(patience, undefined, { signal: timeout.signal }).catch(() => undefined)]);
  timeout.abort();
  cut.abort(new Error('The service is stopping.'));
  await settled;
}
