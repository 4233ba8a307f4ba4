import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { PublicScope } from '../kernel/request.ts';
import { type Known, knownBy, weakTag } from './entity-tags.ts';

/** How many seconds caches may serve public responses without revalidation. */
export const sharedSeconds = 30;

/** The cache validation of a public response (reference/public-and-guests.md#caching). */
export interface SharedResponse extends Known {
  tag: string;
}

/**
 * Computes the entity tag of a response from the request and the revision of the public data, so that it is known before
 * anything is read. The tag is weak: the same content may differ in its bytes, as cursors do after a key rotation.
 *
 * @param variant what else the content depends on
 */
export function sharedResponse(request: Request, { revision }: PublicScope, variant = ''): SharedResponse {
  const identity = JSON.stringify([revision, request.originalUrl, variant]);
  const tag = weakTag(hash('sha256', identity, 'base64url'));
  return { tag, ...knownBy(request, tag) };
}

/** Lets caches store a response. Call it only for a success, so that no error is cached. */
export function allowCaching(response: Response, { tag }: SharedResponse): void {
  response.set('cache-control', `public, max-age=${sharedSeconds}`).set('etag', tag);
}

/** Sends 304 if the client already has the response; returns whether it did. */
export function sendNotModified(response: Response, shared: SharedResponse): boolean {
  return sendIf(shared.known, response, shared);
}

/** Sends 304 if any version will do; returns whether it did. Call it once the object was found. */
export function sendFoundNotModified(response: Response, shared: SharedResponse): boolean {
  return sendIf(shared.any, response, shared);
}

function sendIf(isCurrent: boolean, response: Response, shared: SharedResponse): boolean {
  if (!isCurrent) return false;
  allowCaching(response, shared);
  response.status(304).end();
  return true;
}
