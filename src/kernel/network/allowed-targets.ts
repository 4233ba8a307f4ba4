import { BlockList, isIP } from 'node:net';

/**
 * What an operator lets webhooks reach although it is not public (interface/settings.md#webhooks): networks, for URLs
 * whose host is an address in them, and single hosts with a port.
 */
export class AllowedTargets {
  readonly #networks = new BlockList();
  readonly #hosts = new Set<string>();

  /** @throws Error that names every entry that is neither, without quoting any */
  constructor(entries: readonly string[] = []) {
    const faulty = entries.flatMap((entry, index) => (this.#add(entry) ? [] : [index + 1]));
    if (faulty.length === 0) return;
    const which = entries.length === 1 ? '' : `${faulty.length === 1 ? 'entry' : 'entries'} ${faulty.join(', ')} `;
    throw new Error(`${which}must be a network such as 10.0.0.0/8, or a host with a port such as localhost:8080`);
  }

  /** Whether a URL leads to such a target. */
  allow(url: URL): boolean {
    const host = hostOf(url);
    const family = isIP(host);
    if (family !== 0 && this.#networks.check(host, family === 4 ? 'ipv4' : 'ipv6')) return true;
    return this.#hosts.has(`${url.hostname}:${portOf(url)}`);
  }

  #add(entry: string): boolean {
    return this.#addNetwork(entry) || this.#addHost(entry);
  }

  #addNetwork(entry: string): boolean {
    const [address = '', bits, ...more] = entry.split('/');
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    if (
      family === 0 ||
      address.includes('%') ||
      more.length > 0 ||
      !/^\d{1,3}$/.test(bits ?? '0') ||
      Number(bits ?? 0) > longest
    )
      return false;
    this.#networks.addSubnet(address, bits === undefined ? longest : Number(bits), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  }

  #addHost(entry: string): boolean {
    const port = /:([1-9]\d{0,4})$/.exec(entry)?.[1];
    const url = port !== undefined && /^[^/?#@*\\\s]+$/.test(entry) ? URL.parse(`http://${entry}`) : null;
    if (!url || Number(port) > 65_535) return false;
    this.#hosts.add(`${url.hostname}:${port}`);
    return true;
  }
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The port that a URL leads to. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
