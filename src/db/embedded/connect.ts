import { createHmac } from 'node:crypto';
import type { Cluster } from './cluster.ts';

/** The role of the service, which owns its database of the same name and has no other rights on the server. */
export const owner = 'events_gateway';

/** The URL of a database of the server, with the role of the service. */
export function ownerUrl(cluster: Cluster, port: number, name = owner): string {
  return `postgres://${owner}:${ownerPassword(cluster)}@127.0.0.1:${port}/${name}`;
}

/** The URL for administration; requests never use it. */
export function superuserUrl({ password }: Cluster, port: number, name = 'postgres'): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
}

/** Derived from the superuser's, so that no further file is needed; in base64url, which needs no quoting. */
export function ownerPassword({ password }: Cluster): string {
  return createHmac('sha256', password).update(owner).digest('base64url');
}
