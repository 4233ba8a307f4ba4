import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { PublicScope } from '../kernel/request.ts';
import { entityTags } from './entity-tags.ts';

/** Caches may serve what is public without asking for so long. */
export const sharedSeconds = 30;

/** What a response that anybody may cache has beyond its body (interface/public-and-guests.md#caching). */
export interface SharedResponse {
  tag: string;
  /** Whether the client has it already. */
  known: boolean;
}

/**
 * The entity tag of a response: it identifies the request and the revision of what it reads, so it is known before anything
 * is read. Weak: the same content may be written in another way, as cursors are after their key was rotated.
 *
 * @param variant what else the content depends on
 */
export function sharedResponse(request: Request, { revision }: PublicScope, variant = ''): SharedResponse {
  const identity = JSON.stringify([revision, request.originalUrl, variant]);
  const tag = `W/"${hash('sha256', identity, 'base64url').slice(0, 27)}"`;
  const given = request.headersDistinct['if-none-match']?.join(', ') ?? '';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // the mark of weak tags makes no difference here (RFC 9110, section 13.1.2)
  const known = isRead && entityTags(given).some((each) => each.replace(/^W\//, '') === tag.slice(2));
  return { tag, known };
}

/** Lets caches keep a response; called only once there is one, so that no refusal is kept. */
export function allowCaching(response: Response, { tag }: SharedResponse): void {
  response.set('cache-control', `public, max-age=${sharedSeconds}`).set('etag', tag);
}

/** Answers 304 if the client has the response already; whether it did. */
export function sendNotModified(response: Response, shared: SharedResponse): boolean {
  if (!shared.known) return false;
  allowCaching(response, shared);
  response.status(304).end();
  return true;
}
