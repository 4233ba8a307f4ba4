import type { IncomingMessage } from 'node:http';
import { bodyLimits } from '../http/body.ts';
import { takesForm } from '../pages/page-paths.ts';
import { takesLargeBody } from '../rest/routes.ts';

/**
 * Bytes that the body of a request may have. Of a GraphQL request its operation decides, which is known once the body is
 * there: whoever sends a token may send more, and is refused then.
 */
export function bodyLimit({ method = '', headers }: IncomingMessage, path: string): number {
  const isGraphql = path === '/graphql' || path === '/graphql/';
  const large = isGraphql
    ? headers.authorization !== undefined
    : takesLargeBody(method, path) || takesForm(method, path);
  return large ? bodyLimits.large : bodyLimits.usual;
}
