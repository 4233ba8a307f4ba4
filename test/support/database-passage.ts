import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a database on which a test decides what passes. */
export interface DatabasePassage {
  url: string;
  /** Waits until the last connection has ended. */
  close(): Promise<void>;
}

/** Listens before the server of a URL. @param join connects a client with the database, and outlives the errors of both */
export async function listenBefore(
  databaseUrl: string,
  join: (client: Socket, upstream: Socket) => void,
): Promise<DatabasePassage> {
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
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
