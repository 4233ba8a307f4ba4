import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { PublicScope } from '../kernel/request.ts';
import { type Known, knownBy, weakTag } from './entity-tags.ts';

/** For how many seconds caches may serve public responses without revalidation. */
export const sharedSeconds = 30;

/** The cache validation of a public response (reference/public-and-guests.md#caching). */
export interface SharedResponse extends Known {
  tag: string;
}

/**
 * The tag is known before anything is read, and weak: cursors have other bytes after a key rotation.
 *
 * @param variant what else the content depends on
 */
export function sharedResponse(request: Request, { revision }: PublicScope, variant = ''): SharedResponse {
  const identity = JSON.stringify([revision, request.originalUrl, variant]);
  const tag = weakTag(hash('sha256', identity, 'base64url'));
  return { tag, ...knownBy(request, tag) };
}

/** Lets caches store a response; not for errors. */
export function allowCaching(response: Response, { tag }: SharedResponse): void {
  response.set('cache-control', `public, max-age=${sharedSeconds}`).set('etag', tag);
}

/** Sends 304 if the client's copy is current; returns whether it is. */
export function sendNotModified(response: Response, shared: SharedResponse, isCurrent = shared.known): boolean {
  if (!isCurrent) return false;
  allowCaching(response, shared);
  response.status(304).end();
  return true;
}
