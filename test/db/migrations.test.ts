import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/migrations.ts';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts';

const names = migrations.map(({ name }) => name);

describe('migrate', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let orm: Orm;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    orm = await createOrm({ url: database.url });
  });

  afterEach(async () => {
    await orm.close(true);
    await database.drop();
  });

  test('makes the schema of the entities from nothing', async () => {
    await migrate(database.url);
    // as `mikro-orm schema:update --dump` and `mikro-orm migration:check` say
    expect((await orm.schema.getUpdateSchemaSQL()).trim()).toBe('');
    expect(await orm.migrator.checkSchema()).toBe(false);
  });

  test.each([
    'drop index "event_date_start_index"',
    'drop index "event_name_trigram_index"',
    'alter table "event" drop constraint "event_dates_check"',
    'alter table "user" drop column "verified_at"',
    'alter table "subscription" alter column "created_at" type timestamptz(6)',
  ])('is told from a schema after `%s`', async (change) => {
    const migrated = await createTestDatabase();
    try {
      await migrated.orm.em.getConnection().execute(change);
      expect((await migrated.orm.schema.getUpdateSchemaSQL()).trim()).not.toBe('');
    } finally {
      await migrated.drop();
    }
  });

  test('names what ran, and runs nothing twice', async () => {
    expect(await migrate(database.url)).toEqual(names);
    expect(await migrate(database.url)).toEqual([]);
  });

  test('runs once if several processes start at once', async () => {
    const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url)));
    expect(runs.flat()).toEqual(names);
  });
});
