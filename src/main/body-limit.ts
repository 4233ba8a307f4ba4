import type { IncomingMessage } from 'node:http';
import { bodyLimits } from '../http/body.ts';
import { formPaths } from '../pages/page-paths.ts';
import { largeBodies } from '../rest/routes.ts';
import { PathTable } from '../rest/server/router.ts';

/** By path, the methods whose bodies may be large. */
const large = new PathTable<string[]>();
for (const path of formPaths) large.add(path, ['POST']);
for (const [path, operations] of Map.groupBy(largeBodies, (each) => each.path)) {
  large.add(
    path,
    operations.map(({ method }) => method.toUpperCase()),
  );
}

/**
 * The maximum size of a request body in bytes. For GraphQL the operation decides, which is known only after the body
 * has arrived: with a token, a request may send more, and is refused afterwards.
 */
export function bodyLimit({ method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>, path: string): number {
  const isGraphql = path === '/graphql' || path === '/graphql/';
  const isLarge = isGraphql ? headers.authorization !== undefined : large.leadsTo(path)?.includes(method);
  return isLarge ? bodyLimits.large : bodyLimits.usual;
}
