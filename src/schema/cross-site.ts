import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../domain/errors.ts';

/** Headers that a browser does not send for a page of another site unless it asked first (CORS preflight). */
const preflighted = ['authorization', 'x-organization-id', 'x-graphql-yoga-csrf', 'apollo-require-preflight'];

/**
 * Refuses a GET that any page could have caused with a link or an image (decisions §7). A POST needs no such header:
 * its content type forces the same question.
 *
 * @throws DomainError CROSS_SITE
 */
export function requirePreflight(headers: IncomingHttpHeaders): void {
  if (preflighted.some((name) => headers[name] !== undefined)) return;
  const detail = `A query by GET needs one of the headers ${preflighted.join(', ')}.`;
  throw new DomainError('CROSS_SITE', { detail });
}
