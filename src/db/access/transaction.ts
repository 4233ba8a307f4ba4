import type { Transaction as OrmTransaction } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Sql } from 'sql-template-tag';
import type { ReadOptions, UnitOfWork } from '../../engine/database.ts';
import { CrossingUnit } from './crossing-database.ts';
import { LastWrites } from './last-writes.ts';
import type { LoadPart } from './load.ts';
import { Pipeline, type Written } from './pipeline.ts';
import { everyOrganization, type Scope } from './scope.ts';

/** Sends a statement on the connection of a transaction. */
export type Send = (statement: { text: string; values: unknown[] }, scope: Scope) => Promise<{ rows: unknown[] }>;

/** The scope of a transaction, where row-level security is on. */
interface Scoping {
  scope: Scope;
  /** Changes the scope of the ORM's statements. */
  useForOrm(scope: Scope): void;
}

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
  readonly #scoping: Scoping | null;
  #scope: Scope;
  readonly #unawaited: Promise<unknown>[] = [];
  #failure: unknown;
  /** The error of the first awaited statement that failed: those of the statements sent after it are only consequences. */
  #cause: unknown;

  /** @param scoping null without row-level security */
  constructor(
    em: EntityManager,
    send: Send,
    flush: Flush = () => em.flush(),
    written: Written = { bytes: 0 },
    scoping: Scoping | null = null,
  ) {
    this.em = em;
    this.#scoping = scoping;
    this.#scope = scoping?.scope ?? null;
    scoping?.useForOrm(this.#scope);
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

  async rows<Row>(statement: Sql, { crosses = false }: ReadOptions = {}): Promise<Row[]> {
    const { text, values } = statement;
    try {
      return (await this.#send({ text, values }, this.#scopeOf(crosses))).rows as Row[];
    } catch (error) {
      const isConsequence = (error as { code?: unknown }).code === inFailedTransaction;
      if (isConsequence) throw this.#failure ?? this.#cause ?? error;
      this.#cause ??= error;
      throw error;
    }
  }

  async row<Row>(statement: Sql, options?: ReadOptions): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, options))[0];
  }

  async run({ text, values }: Sql, { crosses = false }: ReadOptions = {}): Promise<void> {
    this.await(this.#send({ text, values }, this.#scopeOf(crosses)));
  }

  crossing(): UnitOfWork {
    return this.#scoping && this.#scope !== everyOrganization ? new CrossingUnit(this) : this;
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

  /** Runs a part of the transaction that crosses organizations, with its changes of the unit of work. */
  async across<Result>(work: () => Promise<Result>): Promise<Result> {
    const scope = this.#scope;
    await this.em.flush();
    this.#use(everyOrganization);
    try {
      const result = await work();
      await this.em.flush();
      return result;
    } finally {
      this.#use(scope);
    }
  }

  #use(scope: Scope): void {
    this.#scope = scope;
    this.#scoping?.useForOrm(scope);
  }

  #scopeOf(crosses: boolean): Scope {
    return crosses && this.#scoping ? everyOrganization : this.#scope;
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
 * @param scope absent without row-level security
 */
export async function inTransaction<Result>(
  pool: Pool,
  em: EntityManager,
  work: (unit: UnitOfWork) => Promise<Result>,
  part: LoadPart | null = null,
  noting: Noting | null = null,
  scope?: Scope,
): Promise<Result> {
  const pipeline = Pipeline.open(await pool.connect(), part);
  let ended = false;
  const unit = new Transaction(
    em,
    // work that continues after the end must not reach the connection, which may belong to the next transaction
    async (statement, scope) => {
      if (ended) throw new Error('the transaction has ended');
      return await pipeline.query(statement.text, statement.values, scope);
    },
    (handOver) => pipeline.handingOver(handOver, () => em.flush()),
    pipeline.written,
    scope === undefined ? null : { scope, useForOrm: (changed) => pipeline.useForOrm(changed) },
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
