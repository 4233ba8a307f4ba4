import type { AbstractSqlDriver } from '@mikro-orm/postgresql';
import { IndexMigration } from '../../src/db/migrations/index-migration.ts';
import type { MigrationEntry } from '../../src/db/migrations/migrations.ts';
import type { Orm } from '../../src/db/orm.ts';

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
export async function blockingBuilds(orm: Orm, entry: MigrationEntry): Promise<string[]> {
  if (entry.class.prototype instanceof IndexMigration) return [];
  const statements = await statementsOf(orm, entry);
  const own = new Set(statements.flatMap((each) => [...each.matchAll(creates)].map(([, table]) => table)));
  return statements.flatMap((each) =>
    [...each.matchAll(builds), ...each.matchAll(constrains)]
      .filter(([, table]) => !own.has(table))
      .map(([text]) => text),
  );
}
