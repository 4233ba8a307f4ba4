import { createRequire } from 'node:module';
import type { BenchRequest } from './request.ts';

/** The result of a load. Times in milliseconds. */
export interface Load {
  total: number;
  /** From the first request to the last answer. */
  elapsed: number;
  p50: number;
  p99: number;
}

interface Cannon extends Promise<{ non2xx: number; errors: number }> {
  on(event: 'response', listener: (client: unknown, status: number, bytes: number, time: number) => void): void;
}

const autocannon = createRequire(import.meta.url)('autocannon') as (options: object) => Cannon;

/**
 * Sends a request `amount` times. A number rather than a duration, so that every response is finished, and its cost is
 * measured for this peer and not for the next one.
 *
 * @throws Error if a response is an error
 */
export async function shoot(request: BenchRequest, connections: number, amount: number): Promise<Load> {
  const times: number[] = [];
  const start = performance.now();
  let end = start;
  // sampled often, since it notices only at the end of a sample that it is done
  const cannon = autocannon({ ...request, connections, amount, pipelining: 1, sampleInt: 50, timeout: 60 });
  // its own histogram has only whole milliseconds
  cannon.on('response', (_client, _status, _bytes, time) => {
    times.push(time);
    end = performance.now();
  });
  const { non2xx, errors } = await cannon;
  if (non2xx + errors > 0) throw new Error(`${request.url}: ${non2xx} error responses, ${errors} failures`);
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { total: times.length, elapsed: end - start, p50: at(0.5), p99: at(0.99) };
}
