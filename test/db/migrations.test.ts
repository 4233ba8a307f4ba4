import { Migration } from '@mikro-orm/migrations';
import { describe, expect, it, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/migrations.ts';
import { createEmptyDatabase, createTestDatabase, openOrm } from '../support/database.ts';
import { blockingBuilds } from '../support/migration-sql.ts';
import { inTest, shared } from '../support/shared.ts';

const names = migrations.map(({ name }) => name);

const database = await shared(createTestDatabase());

const emptyDatabase = () => inTest(createEmptyDatabase());

describe('migrate', () => {
  test('makes the schema of the entities from nothing', async () => {
    const { url } = await emptyDatabase();
    await migrate(url);
    const { orm } = await shared(openOrm({ url }));
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
    const migrated = await inTest(createTestDatabase());
    await migrated.execute(change);
    expect((await migrated.orm.schema.getUpdateSchemaSQL()).trim()).not.toBe('');
  });

  test('names what ran, and runs nothing twice', async () => {
    const { url } = await emptyDatabase();
    expect(await migrate(url)).toEqual(names);
    expect(await migrate(url)).toEqual([]);
  });
});

test.each(migrations)('migration $name keeps nobody from writing while it builds an index', async (entry) => {
  expect(await blockingBuilds(database.orm, entry)).toEqual([]);
});

test('the names of migrations are in their order', () => {
  expect(names).toEqual(names.toSorted());
  expect(names).toEqual([...new Set(names)]);
});

function migrationOf(...statements: string[]) {
  return {
    name: 'planted',
    class: class extends Migration {
      override up(): void {
        for (const statement of statements) this.addSql(statement);
      }
    },
  };
}

describe('the check of that', () => {
  it.each([
    'create index "x" on "event" ("name")',
    'create unique index x on event (name)',
    'CREATE INDEX IF NOT EXISTS "x" ON ONLY "event" ("name")',
    'alter table "event" add constraint "x" unique ("name")',
    'alter table "event" add unique ("name")',
    'alter table "event" add constraint "x" primary key ("name")',
  ])('finds `%s`', async (statement) => {
    expect(await blockingBuilds(database.orm, migrationOf(statement))).toHaveLength(1);
    const other = 'create table "other" ("id" uuid)';
    expect(await blockingBuilds(database.orm, migrationOf(other, statement))).toHaveLength(1);
  });

  it.each([
    'create index "x" on "fresh" ("name")',
    'alter table "fresh" add constraint "x" unique ("name")',
    'alter table "event" add constraint "x" unique using index "y"',
    'alter table "event" add column "note" text',
  ])('lets `%s` pass', async (statement) => {
    const fresh = 'create table "fresh" ("id" uuid)';
    expect(await blockingBuilds(database.orm, migrationOf(fresh, statement))).toEqual([]);
  });
});
