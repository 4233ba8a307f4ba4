import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A way to a database on which a test decides what passes.
 *
 * @param join connects a client with the database, and outlives the errors of both
 */
export async function listenBefore(databaseUrl: string, join: (client: Socket, upstream: Socket) => void) {
  const url = new URL(databaseUrl);
  const [port, host] = [Number(url.port), url.hostname];
  const server = createServer((client) => {
    const upstream = connect(port, host);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    join(client, upstream);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    /** Waits until the last connection has ended. */
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
