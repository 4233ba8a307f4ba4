import type { Transaction as OrmTransaction } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Sql } from 'sql-template-tag';
import type { UnitOfWork } from '../../engine/database.ts';
import type { LoadPart } from './load.ts';
import { Pipeline, type Written } from './pipeline.ts';

/** Sends a statement on the connection of a transaction. */
export type Send = (statement: { text: string; values: unknown[] }) => Promise<{ rows: unknown[] }>;

/** Writes the changes of a unit of work, and hands over the answers that it does not wait for. */
type Flush = (handOver: (answer: Promise<unknown>) => void) => Promise<void>;

/** The SQLSTATE of each statement after one that failed. */
const inFailedTransaction = '25P02';

/** The database within one transaction: every statement runs on its connection. */
export class Transaction implements UnitOfWork {
  readonly em: EntityManager;
  readonly #send: Send;
  readonly #flush: Flush;
  readonly #written: Written;
  readonly #unawaited: Promise<unknown>[] = [];
  #failure: unknown;
  /** Why the first statement failed that somebody waits for: the errors of those sent with it say nothing. */
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

  /** Why a statement failed that nobody waits for: those after it fail because of it. */
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

  /** Makes the transaction fail if this does. */
  await(answer: Promise<unknown>): void {
    answer.catch((error: { code?: unknown }) => {
      if (error.code !== inFailedTransaction) this.#failure ??= error;
    });
    this.#unawaited.push(answer);
  }

  /** Resolves once every statement that nobody waited for has succeeded. */
  async settled(): Promise<void> {
    await Promise.all(this.#unawaited);
  }

  async transaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    return await work(this);
  }
}

/**
 * Runs `work` in a transaction on a connection of the pool, and writes the changes of its unit of work.
 *
 * @param part counts the rows: a row that it refuses fails the transaction, also if `work` caught the error
 */
export async function inTransaction<Result>(
  pool: Pool,
  em: EntityManager,
  work: (unit: UnitOfWork) => Promise<Result>,
  part: LoadPart | null = null,
): Promise<Result> {
  const pipeline = Pipeline.open(await pool.connect(), part);
  let ended = false;
  const unit = new Transaction(
    em,
    // work that goes on after its failure must not reach the connection: the next transaction may have it
    async (statement) => {
      if (ended) throw new Error('the transaction has ended');
      return await pipeline.query(statement.text, statement.values);
    },
    (handOver) => pipeline.handingOver(handOver, () => em.flush()),
    pipeline.written,
  );
  em.setTransactionContext(pipeline.kysely as unknown as OrmTransaction);
  let broken: Error | undefined;
  try {
    unit.await(pipeline.control('begin'));
    const result = await work(unit);
    await unit.flush();
    // PostgreSQL would commit without a statement that the driver could not send
    if (pipeline.isSerial) await unit.settled();
    const failure = part?.refusal ?? unit.failure;
    if (failure) throw failure;
    ended = true;
    const [{ command }] = await Promise.all([pipeline.control('commit'), unit.settled()]);
    // what PostgreSQL answers if a statement failed whose error was caught
    if (command === 'ROLLBACK') throw new Error('the transaction was aborted by a statement that failed');
    return result;
  } catch (error) {
    ended = true;
    await pipeline.control('rollback').catch((lost: Error) => {
      broken = lost;
    });
    throw part?.refusal ?? unit.failure ?? error;
  } finally {
    em.resetTransactionContext();
    pipeline.close(broken);
  }
}
