import { type AddressInfo, connect, createServer } from 'node:net';

/** A proxy in front of PostgreSQL that counts the statements passing through it. */
export interface StatementCounter {
  url: string;
  /** Statements since the start. */
  count(): number;
  close(): void;
}

/**
 * `Sync` and `Query` of the frontend protocol (PostgreSQL, chapter 54.7): one of them for each statement, together with the
 * settings that are sent in front of it.
 */
const statementTypes = new Set(['S'.charCodeAt(0), 'Q'.charCodeAt(0)]);

export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl);
  let statements = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    // the first message has no type
    let header = 0;
    let pending = Buffer.alloc(0);
    client.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= header + 4) {
        const length = header + pending.readUInt32BE(header);
        if (pending.length < length) break;
        if (header === 1 && statementTypes.has(pending[0] as number)) statements += 1;
        pending = pending.subarray(length);
        header = 1;
      }
    });
    client.pipe(upstream);
    upstream.pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, count: () => statements, close: () => void server.close() };
}
