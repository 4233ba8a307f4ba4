import { isIPv6 } from 'node:net';

/**
 * Whom an address counts as: an IPv4 address for itself, an IPv6 address as its /64, since that is what one customer
 * gets and may choose from (RFC 6177).
 */
export function clientNetwork(ip: string | null): string {
  if (ip === null) return 'unknown';
  const address = ip.split('%')[0] as string;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  // the URL parser writes every address in its one shortest form (RFC 5952)
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = short.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
