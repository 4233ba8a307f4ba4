import { LRUCache } from 'lru-cache';

/** How many deliveries a process sends to one host in a second (reference/limits.md#webhooks). */
const mostToHost = 100;
const second = 1_000;

export class HostRates {
  /** When the last {@link mostToHost} deliveries to a host began, by `performance.now()`, oldest first. */
  readonly #begun = new LRUCache<string, number[]>({ max: 10_000 });

  begin(host: string): void {
    const begun = this.#begun.get(host) ?? [];
    begun.push(performance.now());
    this.#begun.set(host, begun.slice(-mostToHost));
  }

  roomOf(host: string): number {
    const since = performance.now() - second;
    return mostToHost - (this.#begun.get(host) ?? []).filter((at) => at > since).length;
  }

  /** Milliseconds until a delivery to the host may begin. */
  waitOf(host: string): number {
    const begun = this.#begun.get(host) ?? [];
    const [first = 0] = begun;
    return begun.length < mostToHost ? 0 : Math.max(0, first + second - performance.now());
  }
}

export function rateHostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
