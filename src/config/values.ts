import { parseNetwork } from '#endpoint-client';
import { commaSeparated, publicUrl, strictInteger } from '#environment-settings';
import { postgresServers } from '#postgres-access';
import { isLoopbackHost } from '../http/loopback.ts';

/** A database on one server, or on several of which the primary is wanted. */
export function postgresUrl(value: string): string {
  const { urls, attributes } = postgresServers(value);
  for (const each of urls) {
    const url = URL.parse(each);
    if (!url || !['postgres:', 'postgresql:'].includes(url.protocol) || url.pathname.length < 2) {
      throw new Error('must be a URL like postgres://user:password@host:5432/database');
    }
  }
  const primary = attributes === 'read-write' || attributes === 'primary';
  if (!primary && (urls.length > 1 || attributes !== null)) {
    throw new Error('must end in ?target_session_attrs=read-write if it names several hosts');
  }
  return value;
}

/** A public URL that protects passwords and cookies from eavesdroppers: https, or a loopback host. */
export function securePublicUrl(value: string): string {
  const text = publicUrl(value);
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && !isLoopbackHost(hostname)) {
    throw new Error('must be https if NODE_ENV is production, except for a loopback host');
  }
  return text;
}

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal'];

/** Express's `trust proxy`: `on`, `off`, a number of hops, or a list of addresses, networks and their names. */
export function trustedProxies(value: string): boolean | number | string[] {
  if (/^(on|true)$/.test(value)) return true;
  if (/^(off|false)$/.test(value)) return false;
  if (/^\d+$/.test(value)) return strictInteger(0, 100)(value);
  const entries = commaSeparated(value);
  if (entries.every((entry) => namedNetworks.includes(entry) || parseNetwork(entry))) return entries;
  throw new Error('must be on, off, a number of hops, or a list of addresses, networks, loopback, uniquelocal');
}
