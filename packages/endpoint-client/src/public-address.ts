import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether an address, however it is spelt, is of the public internet. */
export function isPublicAddress(address: string): boolean {
  // a scope, as in fe80::1%eth0, exists on local networks only
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  const embedded = embeddedAddress(parsed);
  if (embedded) return embedded.range() === 'unicast';
  // `unicast` includes everything that is not listed, but only 2000::/3 is in use (RFC 4291, section 2.4)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}

const globalUnicast = ipaddr.parseCIDR('2000::/3');
const wellKnownNat64 = ipaddr.parseCIDR('64:ff9b::/96');

/**
 * The IPv4 address in a mapped address, or in one of the well-known NAT64 prefix, which DNS64 gives every name on a network
 * without IPv4. Other spellings (6to4, Teredo, local NAT64 prefixes) are never public.
 */
function embeddedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | null {
  if (!(address instanceof ipaddr.IPv6)) return null;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(wellKnownNat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : null;
}
