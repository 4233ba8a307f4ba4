import type { AddressInfo } from 'node:net';
import { createServer, connect as open, type Server, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { readSettings } from '../../src/config/settings.ts';
import { toDomainError } from '../../src/db/errors.ts';
import { serviceConnections } from '../../src/db/options.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { raw, sql } from '../support/sql.ts';

const database = await shared(createTestDatabase());

function ask(orm: Orm, statement: string) {
  return new PostgresDatabase(orm).rows(sql`${raw(statement)}`);
}

test('the options of a URL stand beside ours, which hold', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c search_path=public,pg_temp -c statement_timeout=0');
  const orm = await createOrm({ url: url.href, statementTimeout: 7_000 });
  const settings = ['search_path', 'statement_timeout', 'TimeZone', 'idle_in_transaction_session_timeout'];
  const found = await Promise.all(settings.map((name) => ask(orm, `show ${name}`)));
  expect(found.map(([row]) => Object.values(row ?? {})[0])).toEqual(['public,pg_temp', '7s', 'UTC', '1min']);
  await orm.close(true);
});

test('a transaction whose host vanished is over within a minute, with the statement that it was in', async () => {
  const { bounds } = readSettings({ NODE_ENV: 'test' });
  for (const writeTimeout of [bounds.database.writeTimeout, 1_000, 45_000]) {
    const settings = serviceConnections({ ...bounds, database: { ...bounds.database, writeTimeout } });
    const orm = await createOrm({ url: database.url, ...settings });
    const seconds = await new PostgresDatabase(orm).transaction((unit) =>
      unit.rows<{ statement: number; idle: number }>(sql`select
        extract(epoch from current_setting('statement_timeout')::interval)::int as statement,
        extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)::int as idle`),
    );
    expect(seconds).toEqual([{ statement: writeTimeout / 1000, idle: 60 - writeTimeout / 1000 }]);
    await orm.close(true);
  }
});

/** Passes bytes on until it is told to swallow them, as a network does that lost the other end without a word. */
async function startSilencer(): Promise<{ server: Server; silence(): void; url: string }> {
  const target = new URL(database.url);
  const sockets: [Socket, Socket][] = [];
  let silent = false;
  const server = createServer((client) => {
    const upstream = open(Number(target.port), target.hostname);
    sockets.push([client, upstream]);
    client.on('data', (bytes) => silent || upstream.write(bytes));
    upstream.on('data', (bytes) => silent || client.write(bytes));
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const silence = () => {
    silent = true;
  };
  return { server, url: url.href, silence };
}

test('a database that falls silent is away before long', async () => {
  const { server, silence, url } = await startSilencer();
  const orm = await createOrm({ url, poolSize: 2, statementTimeout: 400, connectionTimeout: 500 });
  expect(await ask(orm, 'select 1 as one')).toEqual([{ one: 1 }]);
  silence();
  const failure = await ask(orm, 'select 1 as one').catch(toDomainError);
  expect(failure).toBeInstanceOf(DomainError);
  expect((failure as DomainError).code).toBe('SERVICE_UNAVAILABLE');
  await orm.close(true);
  server.close();
});

test('a connection that is lost while it is set up fails the read, and does not end the process', async () => {
  const target = new URL(database.url);
  const parse = 'P'.charCodeAt(0);
  const server = createServer((client) => {
    const upstream = open(Number(target.port), target.hostname);
    upstream.pipe(client);
    client.on('data', (bytes) => {
      // the first statement
      if (bytes[0] === parse) client.destroy();
      else upstream.write(bytes);
    });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const orm = await createOrm({ url: url.href });
  const failures = await Promise.all([1, 2, 3].map(() => ask(orm, 'select 1').catch(toDomainError)));
  expect(failures).toMatchObject(Array(3).fill({ code: 'SERVICE_UNAVAILABLE' }));
  await orm.close(true);
  server.close();
});

test('listening for changes leaves every connection of the pool to requests and background work', async () => {
  const server = await startTestServer({ env: { DATABASE_POOL_SIZE: '2' } });
  const { primary } = server.orm.connections;
  const client = await primary.connect();
  try {
    // as a count of a limit, while a request holds its connection
    expect((await primary.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  } finally {
    client.release();
    await server.close();
  }
});
