/** Limits the connections of each network. */
export class NetworkShares {
  readonly #counts = new Map<string, number>();
  readonly #max: number;
  readonly #networksOf: (ip: string) => string[];

  /**
   * @param max connections of one network, 1.5 times as many for the next one around it, twice as many for the third
   * @param networksOf the networks of an address, narrowest first
   */
  constructor(max: number, networksOf: (ip: string) => string[]) {
    this.#max = max;
    this.#networksOf = networksOf;
  }

  /** Counts a connection; returns a function that undoes it, or null if a share is used up. */
  take(ip: string): (() => void) | null {
    const networks = this.#networksOf(ip);
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
