import type { EntityManager } from '@mikro-orm/postgresql';
import type { Sql } from 'sql-template-tag';
import type { Work } from '../kernel/turns/fair-queue.ts';

export interface ReadOptions {
  /** `read` allows a replica, if there are any: for lists and counts, which may lag behind. */
  from?: 'write' | 'read';
  /**
   * Whether one plan suits all values, so that connections may keep it: PostgreSQL then does not parse the statement again
   * nor, once a generic plan has proven no more expensive, plan it. Never with a client's filter in it, whose values
   * decide the plan.
   */
  prepared?: boolean;
  /** What kind of work it is; quick by default. */
  work?: Work;
  /**
   * Allows the rows to end early if they are too large for one page, after at least one; is called if they did. They never
   * do in a transaction, nor for jobs.
   */
  endsEarly?: (() => void) | undefined;
}

/**
 * The domain's port to PostgreSQL, which `src/db/access` implements. Reads are statements that return rows and bypass the
 * unit of work, because hydrating entities would dominate the cost of a list. Writes happen in a transaction, through
 * entities.
 *
 * Each request has its own: its statements take turns with those of others, and end when its client disconnects.
 */
export interface Database {
  /** Runs one statement with bound parameters. */
  rows<Row>(statement: Sql, options?: ReadOptions): Promise<Row[]>;
  /** Like {@link rows}, for a statement that returns at most one row. */
  row<Row>(statement: Sql, options?: ReadOptions): Promise<Row | undefined>;
  /**
   * Runs a statement whose rows nobody reads. A transaction does not wait for it: if it fails, the transaction fails with
   * its error.
   */
  run(statement: Sql): Promise<void>;
  /** Runs `work` in a transaction. Inside a transaction it is part of that one. */
  transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>;
}

/** The database within one transaction. */
export interface UnitOfWork extends Database {
  /** Changes to what it loads or persists are written by `flush`, or at the commit. */
  readonly em: EntityManager;
  /** The bytes that its statements have asked the database to keep so far: those of their values and rows. */
  readonly writtenBytes: number;
  /**
   * Writes the changes of the unit of work like `em.flush()`, but does not wait until they are written: if one fails, the
   * transaction fails with its error.
   */
  flush(): Promise<void>;
}
