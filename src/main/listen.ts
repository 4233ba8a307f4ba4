import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** @throws Error with the reason in words */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  await once(server.listen(port, host), 'listening').catch((error: NodeJS.ErrnoException) => {
    const taken = error.code === 'EADDRINUSE';
    const reason = taken ? `port ${port} is taken; set PORT to another, or to 0 for a free one` : error.message;
    throw new Error(`Cannot listen on ${host}: ${reason}.`);
  });
}

/** The URL as people use it: with `localhost`, the cookie belongs to the same site as pages of other ports of it. */
export function shownUrl(url: string): string {
  return url.replace('//127.0.0.1:', '//localhost:');
}

export function listeningUrl(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = ['0.0.0.0', '::', '::1', 'localhost'].includes(host) ? 'localhost' : host;
  return `http://${name}:${port}`;
}
