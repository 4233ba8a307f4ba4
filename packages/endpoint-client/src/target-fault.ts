import { isIP } from 'node:net';
import { AllowedTargets, hostOf, portOf } from './allowed-targets.ts';
import { isPublicAddress } from './public-address.ts';

/** Why nothing may be sent to a URL, whatever its name resolves to. */
export function targetFault(text: string, allowed: AllowedTargets): string | null {
  // URL parsers drop white space and slashes, and read a backslash as a slash
  const url = /^https?:\/\/[^\s\\/][^\s\\]*$/i.test(text) ? URL.parse(text) : null;
  if (!url) return 'Must be an absolute https URL.';
  if (url.username || url.password || text.split(/[/?]/)[2]?.includes('@'))
    return 'Must not contain a user or a password.';
  if (text.includes('#')) return 'Must not have a fragment.';
  if (allowed.allow(url)) return null;
  if (url.protocol !== 'https:') return 'Must be an absolute https URL.';
  const port = portOf(url);
  if (port !== 443 && port < 1024) return 'The port must be 443, or 1024 or above.';
  const host = hostOf(url);
  return isIP(host) === 0 || isPublicAddress(host) ? null : 'This address may not be reached.';
}

/** The entry of {@link AllowedTargets} that would allow a refused URL; null if none would. */
export function entryThatAllows(text: string): string | null {
  const url = URL.parse(text);
  if (!url?.hostname) return null;
  const entry = `${url.hostname}:${portOf(url)}`;
  return targetFault(text, new AllowedTargets([entry])) === null ? entry : null;
}
