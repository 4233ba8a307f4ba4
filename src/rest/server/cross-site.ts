import type { Request } from 'express';
import { isOwnHost } from '../../http/incoming.ts';
import { DomainError } from '../../kernel/errors.ts';

/** As in `new URL(…).origin`. */
export interface Origins {
  own: string;
  trusts(origin: string): boolean;
}

/**
 * Refuses a request caused by a page of another origin (reference/sign-in.md#requests-from-other-sites): despite
 * SameSite=Lax, browsers send the cookie for other ports and subdomains of the same site. Other clients send neither
 * header and pass. @throws DomainError CROSS_SITE
 */
export function refuseCrossSite(request: Request, origins: Origins): void {
  const { origin } = request.headersDistinct;
  if (origin !== undefined) {
    // our own origins pass; `null`, repeated and invalid ones are foreign
    if (origin.length !== 1 || !isOwn(request, origin[0] as string, origins)) throw new DomainError('CROSS_SITE');
    // a trusted origin may belong to another site
    if (origins.trusts(origin[0] as string)) return;
  }
  const site = request.headersDistinct['sec-fetch-site'];
  if (site === undefined) return;
  if (site.length !== 1 || (site[0] !== 'same-origin' && site[0] !== 'none')) throw new DomainError('CROSS_SITE');
}

function isOwn(request: Request, origin: string, origins: Origins): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  // an origin has no path and no user, and opaque origins read as "null"
  if (url.origin === 'null' || url.origin !== origin.toLowerCase()) return false;
  return url.origin === origins.own || origins.trusts(url.origin) || isOwnHost(request, url);
}
