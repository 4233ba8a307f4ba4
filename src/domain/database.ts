import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Sql } from 'sql-template-tag';

/** Begins a statement whose plan a connection may keep; it says nothing to PostgreSQL. */
export const preparedMark = '/* prepared */ ';

export interface ReadOptions {
  /** `read` lets a replica answer, where there are replicas: for lists and counts, which may lag behind. */
  from?: 'write' | 'read';
  /** Whether one plan serves whatever the values are. Never where a client's filter is in it: its values decide the plan. */
  prepared?: boolean;
}

/**
 * Runs one statement with bound parameters on the connection (or transaction) of `em`, past the unit of work:
 * entity hydration is what costs in a list read, so reads shape rows directly and only writes use entities.
 */
export async function rows<Row>(em: EntityManager, statement: Sql, options: ReadOptions = {}): Promise<Row[]> {
  const { from = 'write', prepared = false } = options;
  const text = prepared ? preparedMark + statement.text : statement.text;
  const result = await em.getKysely({ type: from }).executeQuery(CompiledQuery.raw(text, statement.values));
  return result.rows as Row[];
}

/** Like {@link rows}, for a statement that answers one row at the most. */
export async function row<Row>(em: EntityManager, statement: Sql, options: ReadOptions = {}): Promise<Row | undefined> {
  return (await rows<Row>(em, statement, options))[0];
}
