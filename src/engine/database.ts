import type { EntityManager } from '@mikro-orm/postgresql';
import type { Sql } from 'sql-template-tag';
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

/** A text with its bound parameters, and the type of its rows. */
export type Text<Row = unknown> = Sql & { readonly row?: Row };

/** A statement with its bound parameters. */
export type Query<Row = unknown> = Text<Row> | Statement<Row>;

export interface ReadOptions {
  /** `read` allows a replica, if there is one: for lists and counts, which may lag behind. */
  from?: 'write' | 'read';
  /**
   * Whether connections may keep the statement prepared: PostgreSQL then parses it once, and stops planning it once a
   * generic plan proves no more expensive. One that is `planned once` does not leave that to PostgreSQL: it has the same best
   * plan for all values, although others seem cheaper for some of them. One whose best plan depends on the values, such as
   * those of a client's filter, is not kept. Without effect in a transaction.
   */
  prepared?: boolean | 'planned once';
  /** The kind of work; `quick` by default. */
  work?: Work;
  /**
   * Allows the result to be cut off, after at least one row, if the rows are too large for one page; called if it was. Has no
   * effect in a transaction or in a job.
   */
  endsEarly?: (() => void) | undefined;
}

/**
 * The domain's port to PostgreSQL, implemented in `src/db/access`. Reads are SQL statements that bypass the unit of work,
 * because hydrating entities would dominate the cost of a list. Writes go through entities, in a transaction.
 *
 * Each request has its own instance: its statements take turns with those of other requests, and are cancelled when its
 * client disconnects.
 */
export interface Database {
  /** Runs one statement with bound parameters. */
  rows<Row>(statement: Query<Row>, options?: ReadOptions): Promise<Row[]>;
  /** Like {@link rows}, for a statement that returns at most one row. */
  row<Row>(statement: Query<Row>, options?: ReadOptions): Promise<Row | undefined>;
  /**
   * Runs a statement whose result is not needed. A transaction does not wait for it, but fails with its error if it fails.
   */
  run(statement: Query): Promise<void>;
  /** Runs `work` in a transaction; inside another transaction, as part of that one. */
  transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>;
}

/** The database within one transaction. */
export interface UnitOfWork extends Database {
  /** Its changes are written by `em.flush()`, or at the commit. */
  readonly em: EntityManager;
  /** The user whose later reads, in any process, must see what was committed by then; the viewer, unless it is set. */
  writer: string | null;
  /** The bytes that its statements have written so far: their values, and an overhead for each row. */
  readonly writtenBytes: number;
}
