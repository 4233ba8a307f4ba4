import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../kernel/errors.ts';

/** Headers that a page of another site can send only after a CORS preflight. */
const preflighted = ['authorization', 'x-organization-id', 'x-graphql-yoga-csrf', 'apollo-require-preflight'];

/**
 * Refuses a GET that any page could have caused with a link or an image (interface/graphql.md#get). A POST needs none of
 * these headers, since its content type requires a preflight as well.
 *
 * @throws DomainError CROSS_SITE
 */
export function requirePreflight(headers: IncomingHttpHeaders): void {
  if (preflighted.some((name) => headers[name] !== undefined)) return;
  const detail = `A query by GET needs one of the headers ${preflighted.join(', ')}.`;
  throw new DomainError('CROSS_SITE', { detail });
}
