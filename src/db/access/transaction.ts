import type { Transaction as OrmTransaction } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Sql } from 'sql-template-tag';
import type { UnitOfWork } from '../../engine/database.ts';
import { LastWrites } from './last-writes.ts';
import type { LoadPart } from './load.ts';
import { Pipeline, type Written } from './pipeline.ts';

/** Sends a statement on the connection of a transaction. */
export type Send = (statement: { text: string; values: unknown[] }) => Promise<{ rows: unknown[] }>;

/** Sends the changes of a unit of work, and passes on the promises of the results that it does not wait for. */
type Flush = (handOver: (answer: Promise<unknown>) => void) => Promise<void>;

/** The SQLSTATE of every statement after a failed one. */
const inFailedTransaction = '25P02';

/** The database within one transaction: every statement runs on its connection. */
export class Transaction implements UnitOfWork {
  readonly em: EntityManager;
  writer: string | null = null;
  readonly #send: Send;
  readonly #flush: Flush;
  readonly #written: Written;
  readonly #unawaited: Promise<unknown>[] = [];
  #failure: unknown;
  /** The error of the first awaited statement that failed: those of the statements sent after it are only consequences. */
  #cause: unknown;

  constructor(em: EntityManager, send: Send, flush: Flush = () => em.flush(), written: Written = { bytes: 0 }) {
    this.em = em;
    this.#send = send;
    this.#flush = flush;
    this.#written = written;
  }

  get writtenBytes(): number {
    return this.#written.bytes;
  }

  /** The error of the first unawaited statement that failed: the statements after it fail because of it. */
  get failure(): unknown {
    return this.#failure;
  }

  async rows<Row>({ text, values }: Sql): Promise<Row[]> {
    try {
      return (await this.#send({ text, values })).rows as Row[];
    } catch (error) {
      const isConsequence = (error as { code?: unknown }).code === inFailedTransaction;
      if (isConsequence) throw this.#failure ?? this.#cause ?? error;
      this.#cause ??= error;
      throw error;
    }
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0];
  }

  async run({ text, values }: Sql): Promise<void> {
    this.await(this.#send({ text, values }));
  }

  async flush(): Promise<void> {
    await this.#flush((answer) => this.await(answer));
  }

  /** Makes the transaction fail if `answer` is rejected. */
  await(answer: Promise<unknown>): void {
    answer.catch((error: { code?: unknown }) => {
      if (error.code !== inFailedTransaction) this.#failure ??= error;
    });
    this.#unawaited.push(answer);
  }

  /** Resolves once all unawaited statements have succeeded. */
  async settled(): Promise<void> {
    await Promise.all(this.#unawaited);
  }

  async transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    return await work(this);
  }
}

/** For noting who wrote, where there are replicas (note 0073). */
interface Noting {
  /** The writer, unless the transaction says otherwise. */
  writer: string | null;
  /** Receives a message if it cannot be noted. */
  warn: (message: string) => void;
}

/**
 * Runs `work` in a transaction on a connection of the pool, writes the changes of its unit of work, and commits.
 *
 * @param part counts the loaded rows: if it refuses one the transaction fails, even if `work` caught the error
 * @param noting null if there are no replicas
 */
export async function inTransaction<Result>(
  pool: Pool,
  em: EntityManager,
  work: (unit: UnitOfWork) => Promise<Result>,
  part: LoadPart | null = null,
  noting: Noting | null = null,
): Promise<Result> {
  const pipeline = Pipeline.open(await pool.connect(), part);
  let ended = false;
  const unit = new Transaction(
    em,
    // work that continues after the end must not reach the connection, which may belong to the next transaction
    async (statement) => {
      if (ended) throw new Error('the transaction has ended');
      return await pipeline.query(statement.text, statement.values);
    },
    (handOver) => pipeline.handingOver(handOver, () => em.flush()),
    pipeline.written,
  );
  unit.writer = noting?.writer ?? null;
  em.setTransactionContext(pipeline.kysely as unknown as OrmTransaction);
  let broken: Error | undefined;
  try {
    unit.await(pipeline.begin());
    const result = await work(unit);
    await unit.flush();
    // if the driver failed to send a statement, PostgreSQL would commit without it
    if (pipeline.isSerial) await unit.settled();
    const failure = part?.refusal ?? unit.failure;
    if (failure) throw failure;
    ended = true;
    const behind = noting && unit.writer !== null && { statement: LastWrites.note(unit.writer), warn: noting.warn };
    const committed = pipeline.end('commit');
    const [{ command }] = await Promise.all([committed, unit.settled(), behind && pipeline.behind(behind)]);
    // PostgreSQL rolls back if a statement failed, even if its error was caught
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back because a statement failed');
    return result;
  } catch (error) {
    ended = true;
    await pipeline.end('rollback').catch((lost: Error) => {
      broken = lost;
    });
    throw part?.refusal ?? unit.failure ?? error;
  } finally {
    em.resetTransactionContext();
    pipeline.close(broken);
  }
}
