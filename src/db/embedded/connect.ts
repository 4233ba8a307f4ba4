import { createHmac } from 'node:crypto';
import { Client } from 'pg';
import { type Cluster, superuser } from './cluster.ts';

/** The role of the service, which owns its database and has no other rights on the server. */
export const owner = 'events_gateway';
/** The database of the service. */
export const database = 'events_gateway';

/** The URL of a database of the server, with the role of the service. */
export function ownerUrl(cluster: Cluster, port: number, name = database): string {
  return url(owner, ownerPassword(cluster), port, name);
}

/** The URL for administration; requests never use it. */
export function superuserUrl(cluster: Cluster, port: number, name = 'postgres'): string {
  return url(superuser, cluster.password, port, name);
}

/** Derived from the cluster's password, so that no further file is needed. */
export function ownerPassword({ password }: Cluster): string {
  return createHmac('sha256', password).update(owner).digest('base64url');
}

/** Opens a connection. If it is lost, it emits `end` but never an unhandled error. */
export async function connect(connectionString: string, applicationName: string): Promise<Client> {
  const client = new Client({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}

function url(user: string, password: string, port: number, name: string): string {
  return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
}
