import { isIP } from 'node:net';
import { AllowedTargets, hostOf, portOf } from './allowed-targets.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * Why nothing may be sent to a URL, whatever its name resolves to; null if it may (reference/webhooks.md#url). Also
 * checked before each request: the operator may have allowed less since.
 */
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

/** The setting under which something may be sent to a URL that is refused; null if none would allow it. */
export function variableThatAllows(text: string): string | null {
  const url = URL.parse(text);
  if (!url?.hostname) return null;
  const target = `${url.hostname}:${portOf(url)}`;
  return targetFault(text, new AllowedTargets([target])) === null ? `WEBHOOK_ALLOW=${target}` : null;
}
