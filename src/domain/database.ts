import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Sql } from 'sql-template-tag';

/**
 * Runs one statement with bound parameters on the connection (or transaction) of `em`, past the unit of work:
 * entity hydration is what costs in a list read, so reads shape rows directly and only writes use entities.
 *
 * @param from `read` lets a replica answer, where there are replicas: for lists and counts, which may lag behind
 */
export async function rows<Row>(em: EntityManager, statement: Sql, from: 'write' | 'read' = 'write'): Promise<Row[]> {
  const result = await em.getKysely({ type: from }).executeQuery(CompiledQuery.raw(statement.text, statement.values));
  return result.rows as Row[];
}

/** Like {@link rows}, for a statement that answers one row at the most. */
export async function row<Row>(em: EntityManager, statement: Sql): Promise<Row | undefined> {
  return (await rows<Row>(em, statement))[0];
}
