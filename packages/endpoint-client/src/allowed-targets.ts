import { BlockList, isIP } from 'node:net';

/** Non-public networks, and hosts with a port, that may be reached. */
export class AllowedTargets {
  readonly #networks = new BlockList();
  readonly #hosts = new Set<string>();

  /** @throws Error that names every invalid entry by its number */
  constructor(entries: readonly string[] = []) {
    const faulty = entries.flatMap((entry, index) => (this.#add(entry) ? [] : [index + 1]));
    if (faulty.length === 0) return;
    const which = entries.length === 1 ? '' : `${faulty.length === 1 ? 'entry' : 'entries'} ${faulty.join(', ')} `;
    throw new Error(`${which}must be a network such as 10.0.0.0/8, or a host with a port such as localhost:8080`);
  }

  allow(url: URL): boolean {
    const host = hostOf(url);
    const family = isIP(host);
    if (family !== 0 && this.#networks.check(host, family === 4 ? 'ipv4' : 'ipv6')) return true;
    return this.#hosts.has(`${url.hostname}:${portOf(url)}`);
  }

  #add(entry: string): boolean {
    const network = parseNetwork(entry);
    if (network) {
      this.#networks.addSubnet(network.address, network.bits, network.family);
      return true;
    }
    const port = /:([1-9]\d{0,4})$/.exec(entry)?.[1];
    const url = port !== undefined && /^[^/?#@*\\\s]+$/.test(entry) ? URL.parse(`http://${entry}`) : null;
    if (!url || Number(port) > 65_535) return false;
    this.#hosts.add(`${url.hostname}:${port}`);
    return true;
  }
}

/** @param entry an address, with or without a prefix length */
export function parseNetwork(entry: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | null {
  const [, address = '', given] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  const bits = Number(given ?? longest);
  return version === 0 || bits > longest ? null : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
