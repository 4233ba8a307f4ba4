import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Breakable = Awaited<ReturnType<typeof startBreakable>>;

/** Takes the bytes of one connection, in place of passing them on. */
interface Handling {
  toServer?(bytes: Buffer): void;
  toClient?(bytes: Buffer): void;
}

/**
 * A way to a database that breaks as a network or a server does; passes bytes on until then.
 *
 * @param handle decides what passes on a connection
 */
export async function startBreakable(
  databaseUrl: string,
  handle: (client: Socket, upstream: Socket) => Handling = () => ({}),
) {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let silent = false;
  const accept = (client: Socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    const { toServer, toClient } = handle(client, upstream);
    for (const [socket, other, pass = (bytes: Buffer) => other.write(bytes)] of [
      [client, upstream, toServer],
      [upstream, client, toClient],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (bytes) => silent || pass(bytes));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        if (!silent) other.destroy();
      });
      if (silent) socket.pause();
    }
  };
  let server = createServer(accept).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  /** Drops every connection and refuses new ones, as where a server has ended. */
  const cut = async () => {
    const closed = server.listening ? once(server, 'close') : Promise.resolve();
    if (server.listening) server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    /** Swallows every byte from now on, as a network does that lost the other end, or a server that hangs. */
    silence: () => {
      silent = true;
      // what hangs does not see that the other end closes, either
      for (const socket of sockets) socket.pause();
    },
    cut,
    /** Works again, at the same address. */
    mend: async () => {
      silent = false;
      for (const socket of sockets) socket.destroy();
      if (server.listening) return;
      server = createServer(accept).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    /** Leads new connections to the server of another URL, as after a restart on another port. */
    leadTo: (other: string) => {
      target = new URL(other);
    },
    close: cut,
  };
}
