import { Migration } from '@mikro-orm/migrations';
import { describe, expect, it, test } from 'vitest';
import { migrations } from '../../src/db/migrations/migrations.ts';
import { createTestDatabase } from '../support/database.ts';
import { blockingBuilds } from '../support/migration-sql.ts';
import { shared } from '../support/shared.ts';

const database = await shared(createTestDatabase());

test.each(migrations)('migration $name keeps nobody from writing while it builds an index', async (entry) => {
  expect(await blockingBuilds(database.orm, entry)).toEqual([]);
});

test('the names of migrations are in their order', () => {
  const names = migrations.map(({ name }) => name);
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
