import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import type { Sql } from 'sql-template-tag';

/**
 * Whether a statement is kept: those of which there are as many as clients find ways to order their fields get none of the
 * names that others are waiting for.
 */
export type Prepared = boolean | 'while there are few';

export interface ReadOptions {
  /** `read` lets a replica answer, where there are replicas: for lists and counts, which may lag behind. */
  from?: 'write' | 'read';
  /**
   * Whether one plan serves whatever the values are, so that connections may keep it: PostgreSQL then neither parses nor,
   * once a generic plan has proven no dearer, plans the statement again. Never where a client's filter is in it: its
   * values decide the plan.
   */
  prepared?: Prepared;
}

/**
 * Runs one statement with bound parameters on the transaction of `em`, or else on any connection, past the unit of work:
 * entity hydration is what costs in a list read, so reads shape rows directly and only writes use entities.
 */
export async function rows<Row>(em: EntityManager, statement: Sql, options: ReadOptions = {}): Promise<Row[]> {
  const { text, values } = statement;
  if (em.isInTransaction()) {
    return (await em.getKysely().executeQuery(CompiledQuery.raw(text, values))).rows as Row[];
  }
  const pool = knownPool(em, options.from) ?? (await connectPool(em, options.from));
  const name = options.prepared ? statementName(text, options.prepared) : undefined;
  return (await pool.query({ text, values, ...(name ? { name } : {}) })).rows as Row[];
}

/** Like {@link rows}, for a statement that answers one row at the most. */
export async function row<Row>(em: EntityManager, statement: Sql, options: ReadOptions = {}): Promise<Row | undefined> {
  return (await rows<Row>(em, statement, options))[0];
}

const pools = new WeakMap<object, Pool>();

/** The pool of the ORM's connection: the same connections that entities use, without the layers of a query builder. */
function knownPool(em: EntityManager, from: ReadOptions['from']): Pool | undefined {
  const pool = pools.get(em.getConnection(from));
  return pool?.ended ? undefined : pool;
}

async function connectPool(em: EntityManager, from: ReadOptions['from']): Promise<Pool> {
  const connection = em.getConnection(from);
  const pool: Pool = await connection.getNativeClient();
  // the query builder ends the pool when the ORM is closed, but only one that it has used
  await connection
    .getClient()
    .connection()
    .execute(async () => undefined);
  pools.set(connection, pool);
  return pool;
}

/** How many statements are prepared under a name; those that come later run without one. */
const maxNames = 200;
const names = new Map<string, string>();

/** The name follows from the text, so that every connection shares the names. */
function statementName(text: string, prepared: Prepared): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= (prepared === 'while there are few' ? maxNames / 2 : maxNames)) return known;
  const name = `gateway_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
