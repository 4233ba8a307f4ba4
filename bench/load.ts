import { createRequire } from 'node:module';
import type { BenchRequest } from './request.ts';

/** What came of a load. Times in milliseconds. */
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
 * Puts a request `amount` times. A number and not a time, so that every answer that was begun is finished and its cost
 * falls on the peer that is measured, not on the next.
 *
 * @throws Error where an answer is a refusal
 */
export async function shoot(request: BenchRequest, connections: number, amount: number): Promise<Load> {
  const times: number[] = [];
  const start = performance.now();
  let end = start;
  // sampled often, since the end of a sample is when it sees that it is done
  const cannon = autocannon({ ...request, connections, amount, pipelining: 1, sampleInt: 50, timeout: 60 });
  // its own histogram knows whole milliseconds only
  cannon.on('response', (_client, _status, _bytes, time) => {
    times.push(time);
    end = performance.now();
  });
  const { non2xx, errors } = await cannon;
  if (non2xx + errors > 0) throw new Error(`${request.url}: ${non2xx} refusals, ${errors} errors`);
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { total: times.length, elapsed: end - start, p50: at(0.5), p99: at(0.99) };
}
