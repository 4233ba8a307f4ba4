import { Migration } from '@mikro-orm/migrations';
import type { AbstractSqlDriver } from '@mikro-orm/postgresql';
import { describe, expect, it, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { IndexMigration } from '../../src/db/migrations/index-migration.ts';
import { type MigrationEntry, migrations } from '../../src/db/migrations/migrations.ts';
import type { Orm } from '../../src/db/orm.ts';
import { createEmptyDatabase, createTestDatabase, openOrm } from '../support/database.ts';
import { inTest, shared } from '../support/shared.ts';

/** The statements of a migration that runs in a transaction. */
async function statementsOf(orm: Orm, entry: MigrationEntry): Promise<string[]> {
  const driver = orm.em.getDriver() as unknown as AbstractSqlDriver;
  const migration = new entry.class(driver, orm.config);
  await migration.up();
  return migration.getQueries().map(String);
}

const builds =
  /\bcreate\s+(?:unique\s+)?index\s+(?!concurrently)(?:if\s+not\s+exists\s+)?"?\w+"?\s+on\s+(?:only\s+)?"?(\w+)"?/gi;
const constrains =
  /\balter\s+table\s+"?(\w+)"?\s+add\s+(?:constraint\s+"?\w+"?\s+)?(?:unique|primary\s+key|exclude)\b(?!\s+using\s+index)/gi;
const creates = /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/gi;

/**
 * Which indexes a migration builds on tables that it has not made itself, while its transaction keeps everybody from
 * writing to them (note 0028).
 */
async function blockingBuilds(orm: Orm, entry: MigrationEntry): Promise<string[]> {
  if (entry.class.prototype instanceof IndexMigration) return [];
  const statements = await statementsOf(orm, entry);
  const own = new Set(statements.flatMap((each) => [...each.matchAll(creates)].map(([, table]) => table)));
  return statements.flatMap((each) =>
    [...each.matchAll(builds), ...each.matchAll(constrains)]
      .filter(([, table]) => !own.has(table))
      .map(([text]) => text),
  );
}

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
