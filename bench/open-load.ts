import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** A request to one server. */
export interface OpenRequest {
  path: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/** What became of the requests of one second, by the time at which they were due. */
export interface Second {
  sent: number;
  /** Times of the responses with status 200, in milliseconds from when the request was due. */
  accepted: number[];
  /** Responses with 429 or 503. */
  refused: number;
  /** Anything else, and requests without a response. */
  failed: number;
}

/** Far more than the service answers at once: what waits for a connection counts as waiting. */
const connections = 3_500;
/** Milliseconds after which a client gives up. */
const patience = 20_000;

/**
 * Sends requests at a fixed rate, whether or not earlier ones were answered, as many independent clients do.
 *
 * @param rate requests per second
 * @returns one entry for each second of sending
 */
export async function sendAtRate(
  url: string,
  requests: readonly OpenRequest[],
  rate: number,
  seconds: number,
): Promise<Second[]> {
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: patience, bodyTimeout: patience });
  const results: Second[] = Array.from({ length: seconds }, () => ({ sent: 0, accepted: [], refused: 0, failed: 0 }));
  const pending = new Set<Promise<void>>();
  const started = performance.now();
  const total = rate * seconds;
  for (let index = 0; index < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * rate) + 1);
    for (; index < due; index += 1) {
      const dueAt = started + (index / rate) * 1000;
      const second = results[Math.min(seconds - 1, Math.floor(index / rate))] as Second;
      const { path, method, headers, body } = requests[index % requests.length] as OpenRequest;
      second.sent += 1;
      const one: Promise<void> = pool
        .request({ path, method, headers, body: body ?? null })
        .then(async ({ statusCode, body: answer }) => {
          await answer.dump();
          if (statusCode === 200) second.accepted.push(performance.now() - dueAt);
          else if (statusCode === 429 || statusCode === 503) second.refused += 1;
          else second.failed += 1;
        })
        .catch(() => {
          second.failed += 1;
        })
        .finally(() => pending.delete(one));
      pending.add(one);
    }
    await sleep(1);
  }
  await Promise.all(pending);
  await pool.destroy();
  return results;
}
