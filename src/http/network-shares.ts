import { clientNetworks } from '../kernel/limits/client-network.ts';

/** Limits the connections of each network. */
export class NetworkShares {
  readonly #counts = new Map<string, number>();
  readonly #max: number;

  /** @param max connections of one network; in IPv6, 1.5 times as many for the /56 around it, and twice as many for the /48 */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a connection; returns a function that undoes it, or null if a share is used up. */
  take(ip: string): (() => void) | null {
    const networks = clientNetworks(ip);
    if (networks.some((network, index) => this.#add(network, 0) >= this.#max * (1 + index / 2))) return null;
    for (const network of networks) this.#add(network, 1);
    return () => {
      for (const network of networks) this.#add(network, -1);
    };
  }

  #add(network: string, connections: number): number {
    const count = (this.#counts.get(network) ?? 0) + connections;
    if (count > 0) this.#counts.set(network, count);
    else this.#counts.delete(network);
    return count;
  }
}
