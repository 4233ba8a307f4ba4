import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { withClient } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { raiseFence } from '../../src/db/move/fence.ts';
import { ownedTables } from '../../src/db/move/tables.ts';
import { runCommand } from './command.ts';
import { ask } from './database.ts';
import { startTestServer, type TestServer, testSecrets } from './server.ts';

/** Two services, each with a PostgreSQL of its own, that share their secrets. */
export interface Shards {
  one: TestServer;
  two: TestServer;
  /** What the command that moves printed, from the first to the second unless it says otherwise. */
  move(id: string, ...more: string[]): ReturnType<typeof runCommand>;
  /** The same in the other direction. */
  moveBack(id: string): ReturnType<typeof runCommand>;
  /** The URL of a database as a new role that may read and write its tables and owns none of them. */
  asOther(name: 'one' | 'two'): Promise<string>;
  /** The first step of a move alone: from now on, jobs begin nothing new for the organization. */
  announce(id: string): Promise<void>;
  /** The second step alone: from now on, its writes are refused. */
  fence(id: string): Promise<void>;
  close(): Promise<void>;
}

export async function startShards(env: Record<string, string> = {}): Promise<Shards> {
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-shards-'));
  const start = async (name: string) => {
    const serverSettings = { fsync: 'off', shared_buffers: '32MB', max_connections: '60' };
    const server = await startEmbedded({ dataDir: path.join(dir, name), serverSettings });
    await migrate(server.url);
    return server;
  };
  const servers = [await start('one'), await start('two')] as const;
  const secrets = testSecrets();
  const serve = (databaseUrl: string) => startTestServer({ databaseUrl, secrets, env: { RATE_LIMIT: 'off', ...env } });
  const [one, two] = [await serve(servers[0].url), await serve(servers[1].url)];
  const between = (from: TestServer, to: TestServer, id: string, more: string[]) =>
    runCommand('admin', ['organizations', 'move', id, '--to', to.databaseUrl, '--url', to.url, ...more], {
      DATABASE_URL: from.databaseUrl,
    });
  return {
    one,
    two,
    move: (id, ...more) => between(one, two, id, more),
    moveBack: (id) => between(two, one, id, []),
    asOther: async (name) => {
      const { superuserUrl, url } = servers[name === 'one' ? 0 : 1];
      await ask(superuserUrl, `create role other login password 'of-other'`);
      await ask(url, 'grant select, insert, update, delete on all tables in schema public to other');
      return Object.assign(new URL(url), { username: 'other', password: 'of-other' }).href;
    },
    announce: async (id) => {
      const { host, pathname } = new URL(two.databaseUrl);
      await ask(
        one.databaseUrl,
        `insert into organization_move (id, target, address) values ('${id}', '${host}${pathname}', '${two.url}')`,
      );
    },
    fence: (id) =>
      withClient(one.databaseUrl, async (client) => await raiseFence(client, await ownedTables(client), id)),
    close: async () => {
      await one.close();
      await two.close();
      for (const server of servers) await server.stop({ force: true });
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/**
 * A router that asks the directory row of the first service where an organization is, for each request, and asks again where the
 * answer is that it has moved meanwhile.
 */
export async function startRouter({ one }: Pick<Shards, 'one'>): Promise<{ url: string; close(): void }> {
  const placeOf = async (id: string) => {
    const [place] = await ask(one.databaseUrl, `select address from organization_place where id = '${id}'`);
    return (place?.address as string | undefined) ?? one.url;
  };
  const forward = async (request: IncomingMessage, body: Buffer) => {
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    for (;;) {
      const address = await placeOf(String(headers['x-organization-id']));
      const answer = await fetch(`${address}${request.url}`, {
        method: request.method as string,
        headers: headers as Record<string, string>,
        body: body.length > 0 ? new Uint8Array(body) : null,
      });
      const text = await answer.text();
      if (address !== one.url || !text.includes('"code":"ORGANIZATION_MOVED"')) return { answer, text };
    }
  };
  const server = createServer(async (request, response) => {
    const { answer, text } = await forward(request, await buffer(request));
    const passed = ['content-type', 'retry-after'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(passed));
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
