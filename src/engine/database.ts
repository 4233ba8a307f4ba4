import type { EntityManager } from '@mikro-orm/postgresql';
import type { Work } from '../kernel/turns/turns.ts';

/** A compiled statement with its bound parameters. */
export interface Statement<Row = unknown> {
  sql: string;
  parameters: readonly unknown[];
  /** Under which connections keep it prepared. */
  name?: string;
  /** The type of its rows; it has no value. */
  readonly row?: Row;
}

export interface ReadOptions {
  /** `read` allows a replica, which may lag behind: for lists and counts. */
  from?: 'write' | 'read';
  /**
   * Whether connections may keep the statement prepared; not if its best plan depends on the values, as in a client's filter.
   * `planned once` forces the generic plan, where others wrongly seem cheaper. Without effect in a transaction.
   */
  prepared?: boolean | 'planned once';
  /** `quick` by default. */
  work?: Work;
  /** Allows a page to be cut off after at least one row if its rows are too large; called if it was. For requests only. */
  endsEarly?: (() => void) | undefined;
}

/**
 * The domain's port to PostgreSQL, for one request. Reads are SQL statements, because hydrating entities would dominate the
 * cost of a list. Writes go through entities, in a transaction.
 */
export interface Database {
  rows<Row>(statement: Statement<Row>, options?: ReadOptions): Promise<Row[]>;
  /** For a statement that returns at most one row. */
  row<Row>(statement: Statement<Row>, options?: ReadOptions): Promise<Row | undefined>;
  /** Runs a statement without a result. A transaction does not wait for it, but fails with its error. */
  run(statement: Statement): Promise<void>;
  /** Runs `work` in a transaction; inside another transaction, as part of that one. */
  transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>;
}

/** The database within one transaction. */
export interface UnitOfWork extends Database {
  /** Its changes are written by `em.flush()`, or at the commit. */
  readonly em: EntityManager;
  /** The user whose later reads, in any process, must see this transaction; the viewer by default. */
  writer: string | null;
  /** The bytes written so far: values, and an overhead for each row. */
  readonly writtenBytes: number;
}
