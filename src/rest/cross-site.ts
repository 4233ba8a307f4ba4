import type { Request } from 'express';
import { DomainError } from '../domain/errors.ts';

/** Where requests may come from, as `new URL(…).origin` writes it. */
export interface Origins {
  own: string;
  /** Those of `CORS_ORIGINS`. */
  trusted: ReadonlySet<string>;
}

/**
 * Refuses a request that a page of another site caused (decisions §3): SameSite=Lax lets a foreign page of the same
 * site, another port or subdomain, still send the cookie. A client that is no browser sends neither header, and passes.
 *
 * @throws DomainError CROSS_SITE
 */
export function refuseCrossSite(request: Request, origins: Origins): void {
  const { origin } = request.headersDistinct;
  if (origin !== undefined) {
    // an Origin that is ours decides; `null`, doubled ones and what is no origin are foreign
    if (origin.length !== 1 || !isOwn(request, origin[0] as string, origins)) throw new DomainError('CROSS_SITE');
    // an origin that is trusted besides our own may well be of another site
    if (origins.trusted.has(origin[0] as string)) return;
  }
  const site = request.headersDistinct['sec-fetch-site'];
  if (site === undefined) return;
  if (site.length !== 1 || (site[0] !== 'same-origin' && site[0] !== 'none')) throw new DomainError('CROSS_SITE');
}

function isOwn(request: Request, origin: string, origins: Origins): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  // an origin has neither path nor user; and opaque origins read as "null"
  if (url.origin === 'null' || url.origin !== origin.toLowerCase()) return false;
  return url.origin === origins.own || origins.trusted.has(url.origin) || isOwnHost(request, url);
}

/** The host that the client itself addressed, whatever name or port that is; never by http where we are on https. */
function isOwnHost(request: Request, origin: URL): boolean {
  const [host, ...others] = request.headersDistinct.host ?? [];
  if (host === undefined || others.length > 0 || !/^[\w.:[\]-]+$/.test(host)) return false;
  const own = `${origin.protocol}//${host}`;
  if (!URL.canParse(own) || new URL(own).origin !== origin.origin) return false;
  return origin.protocol === 'https:' || request.protocol === 'http';
}
