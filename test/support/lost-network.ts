import type { Socket } from 'node:net';
import { listenBefore } from './database-passage.ts';

/** When PostgreSQL ends a transaction that does nothing, in milliseconds, as a connection says at its start. */
const idleSetting = /(idle_in_transaction_session_timeout=)(\d+)/;

/**
 * A way to a database that can be lost as a host is that vanishes: the database is never told, and gives an idle transaction up
 * after five seconds.
 */
export async function startLostNetwork(databaseUrl: string) {
  const sockets: Socket[] = [];
  let lost = false;
  const passage = await listenBefore(databaseUrl, (client, upstream) => {
    sockets.push(client, upstream);
    client.on('data', (bytes) => {
      if (!lost) upstream.write(shorten(bytes));
    });
    upstream.on('data', (bytes) => {
      if (!lost) client.write(bytes);
    });
    client.on('close', () => {
      if (!lost) upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
  });
  return {
    url: passage.url,
    /** From now on nothing passes, and the database keeps its connections. */
    lose: () => {
      lost = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await passage.close();
    },
  };
}

/** A message keeps its length. */
function shorten(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const shortened = text.replace(
    idleSetting,
    (_, name: string, value: string) => `${name}${'5000'.padEnd(value.length)}`,
  );
  return Buffer.from(shortened, 'latin1');
}
