import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyEntity, EntityData } from '@mikro-orm/postgresql';
import { Client, type ClientConfig } from 'pg';
import { inject } from 'vitest';
import { createProgress } from '#command-line';
import { generate } from '#generated-data';
import { hashPassword } from '#passwords';
import { withClient } from '../../src/db/client.ts';
import type { ConnectionOptions } from '../../src/db/options.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { shared } from './shared.ts';

type Execute = <Row = EntityData<AnyEntity>>(statement: string, values?: unknown[]) => Promise<Row[]>;

/** Runs each statement outside of any transaction that is open, and gives its rows. */
export function executeOn(orm: Orm): Execute {
  return (statement, values) => orm.em.fork().execute(statement, values);
}

export type TestDatabase = Awaited<ReturnType<typeof copyOf>>;

/** Makes a database of the caller's own, migrated and empty: a copy of the template, some 50 ms. */
export async function createTestDatabase(options: Partial<ConnectionOptions> = {}): Promise<TestDatabase> {
  return await copyOf(new URL(inject('templateUrl')), options);
}

/**
 * Makes a copy of a database with 200,000 events and 100,000 subscriptions in four organizations, one of which has half
 * of them. The first caller of a run generates it.
 */
export async function createLargeDatabase(options: Partial<ConnectionOptions> = {}): Promise<TestDatabase> {
  const url = new URL(inject('templateUrl'));
  const template = url.pathname.slice(1);
  const urlOf = (name: string) => new URL(`/${name}`, url);
  await withClient(urlOf('postgres').href, async (client) => {
    // held until this client closes: the others wait for the one who generates
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query(`select from pg_database where datname = 'large'`);
    if (rowCount) return;
    await client.query(`create database unfinished template "${template}" strategy file_copy`);
    await withClient(urlOf('unfinished').href, async (generating) => {
      // a commit that does not wait for the log is not yet known to the vacuum after it, which then marks no page visible
      await generating.query('set synchronous_commit = on');
      const counts = { organizations: 4, users: 2_000, events: 200_000, subscriptions: 100_000 };
      await generate(generating, { counts, seed: 7, hashPassword, progress: createProgress() });
    });
    await client.query('alter database unfinished rename to large');
  });
  return await copyOf(urlOf('large'), options);
}

async function copyOf(template: URL, options: Partial<ConnectionOptions>) {
  const { url, drop } = await create(template.pathname.slice(1));
  const orm = await createOrm({ url, poolSize: 8, ...options });
  return {
    url,
    orm,
    execute: executeOn(orm),
    /** Closes the ORM and removes the database, whoever is still connected to it. */
    drop: async () => {
      await orm.close(true);
      await drop();
    },
  };
}

/** Makes a database without a schema, for what migrates one. */
export const createEmptyDatabase = () => create('template0');

async function create(template: string) {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`create database "${name}" template "${template}" strategy file_copy`);
  return { url: new URL(`/${name}`, inject('templateUrl')).href, drop: () => drop(name) };
}

/** A further ORM on a database, which closes it by force. */
export async function openOrm(options: ConnectionOptions): Promise<{ orm: Orm; close(): Promise<void> }> {
  const orm = await createOrm(options);
  return { orm, close: () => orm.close(true) };
}

/** A connection of the bare driver. */
export async function connectTo(connectionString: string, options: ClientConfig = {}): Promise<Client> {
  const client = new Client({ connectionString, ...options });
  await client.connect();
  return client;
}

/** An empty database with one connection of the bare driver, for all tests of a file. */
export async function connectedDatabase() {
  const database = await createTestDatabase();
  const client = await connectTo(database.url);
  const drop = async () => {
    await client.end();
    await database.drop();
  };
  return await shared(Promise.resolve({ ...database, client, drop }));
}

/** Drops a database once no autovacuum worker is in it: those are the superuser's, and only a superuser may end them. */
async function drop(name: string): Promise<void> {
  for (;;) {
    try {
      return await administer(`drop database "${name}" with (force)`);
    } catch (error) {
      if ((error as { code?: unknown }).code !== '42501') throw error;
      await sleep(100);
    }
  }
}

/** Runs one statement on the database `postgres`: the template itself may have no connections while it is copied. */
async function administer(statement: string): Promise<void> {
  const url = new URL(inject('templateUrl'));
  url.pathname = '/postgres';
  await ask(url.href, statement);
}

/** The rows of one statement, on a connection of its own that nothing of the service has prepared. */
export async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = await connectTo(url, { statement_timeout: 60_000 });
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
