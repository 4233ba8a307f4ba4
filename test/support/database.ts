import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { ConnectionOptions } from '../../src/db/options.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';

export interface TestDatabase {
  url: string;
  orm: Orm;
  /** Closes the ORM and removes the database, whoever is still connected to it. */
  drop(): Promise<void>;
}

/** Makes a database of the caller's own, migrated and empty: a copy of the template, some 50 ms. */
export async function createTestDatabase(options: Partial<ConnectionOptions> = {}): Promise<TestDatabase> {
  const template = new URL(inject('templateUrl'));
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`create database "${name}" template "${template.pathname.slice(1)}" strategy file_copy`);
  const url = new URL(template);
  url.pathname = `/${name}`;
  const orm = await createOrm({ url: url.href, poolSize: 8, ...options });
  return {
    url: url.href,
    orm,
    drop: async () => {
      await orm.close(true);
      await administer(`drop database "${name}" with (force)`);
    },
  };
}

/** Makes a database without a schema, for what migrates one. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const url = new URL(inject('templateUrl'));
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`create database "${name}" template template0`);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database "${name}" with (force)`) };
}

/** Runs one statement on the database `postgres`: the template itself may have no connections while it is copied. */
async function administer(statement: string): Promise<void> {
  const url = new URL(inject('templateUrl'));
  url.pathname = '/postgres';
  const orm = await createOrm({ url: url.href, poolSize: 1, statementTimeout: 60_000 });
  try {
    await orm.em.getConnection().execute(statement);
  } finally {
    await orm.close(true);
  }
}
