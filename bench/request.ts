import type { RunningPeer } from './peers.ts';
import type { Ask } from './questions.ts';

/** A request as both `fetch` and the load generator take it. */
export interface BenchRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

export function requestOf({ url, headers }: RunningPeer, { path, graphql }: Ask): BenchRequest {
  if (!graphql) return { url: url + path, method: 'GET', headers };
  return {
    url: url + path,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(graphql),
  };
}
