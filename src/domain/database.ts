import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import type { Sql } from 'sql-template-tag';
import { RecentMap } from './recent-map.ts';
import { Statement } from './statement.ts';

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
export async function rows<Row>(em: EntityManager, { text, values }: Sql, options: ReadOptions = {}): Promise<Row[]> {
  if (em.isInTransaction()) {
    return (await em.getKysely().executeQuery(CompiledQuery.raw(text, values))).rows as Row[];
  }
  const pool = knownPool(em, options.from) ?? (await connectPool(em, options.from));
  const statement = (options.prepared && keptStatement(text, options.prepared)) || recentStatement(text);
  return (await statement.run(pool, values)) as Row[];
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

/** How many statements are kept under a name; those that come later run without one. */
const maxKept = 200;
const kept = new Map<string, Statement>();

/** The name follows from the text, so that every connection shares the names. */
function keptStatement(text: string, prepared: Prepared): Statement | undefined {
  const known = kept.get(text);
  if (known || kept.size >= (prepared === 'while there are few' ? maxKept / 2 : maxKept)) return known;
  const name = `gateway_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  const statement = new Statement(name, text);
  kept.set(text, statement);
  return statement;
}

/** Those of filters, of which there is no end. */
const recent = new RecentMap<string, Statement>(500);

function recentStatement(text: string): Statement {
  const known = recent.get(text);
  if (known) return known;
  const statement = new Statement('', text);
  recent.set(text, statement);
  return statement;
}
