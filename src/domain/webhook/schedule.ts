const minute = 60;
const hour = 60 * minute;

/** Seconds from a failed try to the next one (interface/webhooks.md#tries). */
const delays = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** How far a delay varies, so that what failed together is not tried again together. */
const jitter = 0.2;

/** Seconds that a try may begin after it is due. */
const lateness = 1;

/** The longest time that an endpoint can ask to wait. */
const longestWait = hour;

/**
 * Seconds until the next try, or null after the last one.
 *
 * @param step how many tries of the schedule failed before this one
 * @param retryAfter the seconds that the endpoint asks to wait
 */
export function nextDelay(step: number, retryAfter: number | null): number | null {
  const delay = delays[step];
  if (delay === undefined) return null;
  const [least, most] = [delay * (1 - jitter), delay * (1 + jitter) - lateness];
  const varied = least + (most - least) * Math.random();
  return Math.max(varied, Math.min(retryAfter ?? 0, longestWait));
}
