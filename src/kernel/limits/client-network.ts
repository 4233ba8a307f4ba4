import { isIPv4, isIPv6 } from 'node:net';
import type { LimitKey } from './limits.ts';
import type { LimitRule } from './rules.ts';

type NetworkRule = 'login_network' | 'signup_network' | 'mail_network' | 'token_network' | 'guest_network';

/** Prefix lengths of larger IPv6 networks: one customer may have a whole /56 or /48. */
const larger = [56, 48] as const;

/** The canonical form of an address, perhaps with the port that some proxies add; null if it is not an address. */
export function clientAddress(given: string | undefined): string | null {
  const [, bracketed, v4] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(given ?? '') ?? [];
  const address = bracketed ?? v4 ?? given ?? '';
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return null;
  // the URL parser writes every address in its canonical form (RFC 5952)
  const short = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short);
  if (!mapped) return short;
  const [high, low] = mapped.slice(1).map((group) => Number.parseInt(group, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Itself in IPv4; in IPv6 its /64, the smallest block that a customer gets (RFC 6177). All non-addresses count as one network. */
export function clientNetwork(ip: string | null): string {
  return network(clientAddress(ip ?? undefined), 64);
}

/** With the larger IPv6 networks, narrowest first. */
export function clientNetworks(ip: string | null): string[] {
  const address = clientAddress(ip ?? undefined);
  if (address === null || isIPv4(address)) return [network(address, 64)];
  return [64, ...larger].map((bits) => network(address, bits));
}

/** A key for each network of an address. */
export function networkKeys(rule: NetworkRule, ip: string | null): LimitKey[] {
  const rules = [rule, ...larger.map((bits) => `${rule}_${bits}` as const)] as const;
  return clientNetworks(ip).map((key, index) => ({ rule: rules[index] as LimitRule, key }));
}

function network(address: string | null, bits: number): string {
  if (address === null) return 'unknown';
  if (isIPv4(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16));
  const kept = groups.map((group, index) => group & (0xffff << Math.max(0, 16 * (index + 1) - bits)) & 0xffff);
  return `${kept.map((group) => group.toString(16)).join(':')}::/${bits}`;
}
