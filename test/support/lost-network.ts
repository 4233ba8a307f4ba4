import type { Socket } from 'node:net';
import { type DatabasePassage, listenBefore } from './database-passage.ts';

/** A way to a database that can be lost as a host is that vanishes: the database is never told. */
export interface LostNetwork extends DatabasePassage {
  /** From now on nothing passes, and the database keeps its connections. */
  lose(): void;
}

/** When PostgreSQL ends a transaction that does nothing, in milliseconds, as a connection says at its start. */
const idleSetting = /(idle_in_transaction_session_timeout=)(\d+)/;

/** Passes bytes on to the server of a URL, where an idle transaction is given up after five seconds. */
export async function startLostNetwork(databaseUrl: string): Promise<LostNetwork> {
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
