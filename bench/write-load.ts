import { Agent, request as send } from 'node:http';
import type { Load } from './load.ts';

/** One of many different requests. */
export interface WriteRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** The status of the correct response, if it is not 200 to 299. */
  status?: number;
}

/**
 * Sends each request once, over a number of connections at a time.
 *
 * @throws Error if a response is an error
 */
export async function shootEach(requests: readonly WriteRequest[], connections: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const queue = requests.values();
  const worker = async () => {
    for (const each of queue) {
      const begun = performance.now();
      await answered(each, agent);
      times.push(performance.now() - begun);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  const elapsed = performance.now() - start;
  agent.destroy();
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { total: times.length, elapsed, p50: at(0.5), p99: at(0.99) };
}

async function answered({ url, method, headers, body, status: wanted }: WriteRequest, agent: Agent): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const length = { 'content-length': String(Buffer.byteLength(body ?? '')) };
    const outgoing = send(url, { method, agent, headers: { ...headers, ...type, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (wanted === undefined ? status >= 200 && status < 300 : status === wanted) resolve();
        else reject(new Error(`${method} ${url}: ${status} ${Buffer.concat(chunks).toString().slice(0, 300)}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
