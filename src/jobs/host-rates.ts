import { LRUCache } from 'lru-cache';

/** How many deliveries a process sends to one host in a second, from all webhooks (interface/bounds.md#webhooks). */
const most = 100;
const second = 1_000;
/** How many hosts are remembered. */
const maxHosts = 10_000;

/** Limits how fast a process sends to each host. */
export class HostRates {
  /** When the last deliveries to a host began, by `performance.now()`, oldest first. */
  readonly #begun = new LRUCache<string, number[]>({ max: maxHosts });
  readonly #limited: boolean;

  constructor(limited: boolean) {
    this.#limited = limited;
  }

  /** Counts a delivery that is about to begin; returns whether it may. */
  take(host: string): boolean {
    if (!this.#limited) return true;
    if (this.waitOf(host) > 0) return false;
    const begun = this.#begun.get(host) ?? [];
    begun.push(performance.now());
    if (begun.length > most) begun.shift();
    this.#begun.set(host, begun);
    return true;
  }

  /** How many deliveries to the host may begin now. */
  roomOf(host: string): number {
    const begun = this.#begun.get(host) ?? [];
    return this.#limited ? most - begun.filter((at) => at > performance.now() - second).length : most;
  }

  /** Milliseconds until a delivery to the host may begin. */
  waitOf(host: string): number {
    const begun = this.#begun.get(host) ?? [];
    const [first = 0] = begun;
    return begun.length < most ? 0 : Math.max(0, first + second - performance.now());
  }
}

/** The host of a URL, whatever its port. */
export function rateHostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
