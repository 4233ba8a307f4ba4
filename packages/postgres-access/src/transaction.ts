import type { PoolClient } from 'pg';
import { driverOf, type Result } from './driver.ts';
import { type Loading, type RequestLimits, resultOf, type Settings, type Work } from './execution.ts';
import { keptName } from './kept-names.ts';
import { noteWrite, type Replicas } from './replicas.ts';
import { beginning } from './session.ts';
import type { Statement } from './statement.ts';

export interface ReadOptions {
  /** `read` allows a replica, which may lag behind: for lists and counts. */
  from?: 'write' | 'read';
  /** Whether connections may keep the statement prepared. */
  prepared?: boolean;
  /** For this statement, such as how it is planned. Without effect in a transaction. */
  settings?: Settings | undefined;
  /** `quick` by default. */
  work?: Work;
  /** Allows a page to be cut off after at least one row if its rows are too large; called if it was. For requests only. */
  endsEarly?: (() => void) | undefined;
}

/** PostgreSQL, for one request, job or command. */
export abstract class Database<Em extends UnitOfWork> {
  abstract rows<Row>(statement: Statement<Row>, options?: ReadOptions): Promise<Row[]>;
  /** Runs `work` in a transaction; inside another transaction, as part of that one. */
  abstract transaction<Result>(work: (transaction: Transaction<Em>) => Promise<Result>): Promise<Result>;

  /** Runs a statement without a result. A transaction does not wait for it, but fails with its error. */
  async run(statement: Statement): Promise<void> {
    await this.rows(statement);
  }

  /** For a statement that returns at most one row. */
  async row<Row>(statement: Statement<Row>, options?: ReadOptions): Promise<Row | undefined> {
    return (await this.rows(statement, options))[0];
  }
}

type OrmResult = { rows: unknown[]; numAffectedRows: bigint };

/** What an ORM collects changes with, such as an entity manager of MikroORM. */
export interface UnitOfWork {
  fork(): this;
  /** Writes the changes. */
  flush(): Promise<void>;
  /** From now on, its statements run by this method. */
  setTransactionContext(transaction: { executeQuery(statement: Statement): Promise<OrmResult> }): void;
  resetTransactionContext(): void;
}

/** The SQLSTATE of every statement after a failed one. */
const inFailedTransaction = '25P02';

/** The database within one transaction. PostgreSQL runs the pipelined statements one after the other, each on its own snapshot. */
export class Transaction<Em extends UnitOfWork> extends Database<Em> {
  /** Its changes are written by `em.flush()`, or at the commit. */
  readonly em: Em;
  /** The user whose later reads, in any process, must see this transaction; by default that of the request. */
  writer: string | null;
  /** The bytes written so far: values, and an overhead for each row. */
  writtenBytes = 0;
  readonly #client: PoolClient;
  readonly #limits: RequestLimits | null;
  /** If a row was refused, the transaction fails even if `work` catches the error. */
  readonly #loading: Loading | undefined;
  readonly #replicas: Replicas | null;
  readonly #isPipelined: boolean;
  /** The result of the last statement, or undefined if it failed. */
  #last: Promise<unknown> = Promise.resolve();
  /** The error of the first statement that failed with nobody waiting for it. */
  #failure: unknown;
  /** The error of the first statement that failed; later errors are its consequences. */
  #cause: unknown;
  #ended = false;
  /** The flush that the commit does not wait for. */
  #lastFlush: Promise<void> | null = null;
  #onChange = (): void => undefined;

  constructor(client: PoolClient, em: Em, limits: RequestLimits | null, replicas: Replicas | null) {
    super();
    this.em = em;
    this.writer = limits?.writer ?? null;
    this.#client = client;
    this.#limits = limits;
    this.#loading = limits?.load();
    this.#replicas = replicas;
    this.#isPipelined = driverOf(client).pipeline;
  }

  /** Runs `work`, writes the changes of its unit of work, and commits. */
  async complete<Result>(work: (transaction: this) => Promise<Result>): Promise<Result> {
    let broken: Error | undefined;
    const executeQuery = async ({ sql, parameters }: Statement) => {
      const answer = this.#query({ sql, parameters });
      this.#onChange();
      const { rows, rowCount } = await answer;
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    };
    this.em.setTransactionContext({ executeQuery });
    try {
      this.#control(beginning(this.#client)).catch((error) => {
        this.#failure ??= error;
      });
      const result = await work(this);
      if (!this.#lastFlush) await this.em.flush();
      // if the driver could not send a statement, PostgreSQL would commit without it
      if (!this.#isPipelined) await Promise.all([this.#last, this.#lastFlush]);
      this.#throwFailure();
      this.#ended = true;
      const committed = this.#control('commit');
      this.#note();
      const { command } = await committed;
      await this.#lastFlush;
      this.#throwFailure();
      // PostgreSQL rolls back if a statement failed, even if its error was caught
      if (command === 'ROLLBACK') throw new Error('the transaction was rolled back because a statement failed');
      // fails if something changed after the last flush
      if (this.#lastFlush) await this.em.flush();
      return result;
    } catch (error) {
      this.#ended = true;
      await this.#control('rollback').catch((lost: Error) => {
        broken = lost;
      });
      this.#loading?.drop();
      throw this.#loading?.refusal ?? this.#failure ?? error;
    } finally {
      await Promise.allSettled([this.#last, this.#lastFlush]);
      this.em.resetTransactionContext();
      this.#client.release(broken);
    }
  }

  override async rows<Row>(query: Statement<Row>, _options?: ReadOptions): Promise<Row[]> {
    return (await this.#query(query)).rows as Row[];
  }

  override async run(query: Statement): Promise<void> {
    this.#query(query, false).catch(() => undefined);
  }

  override async transaction<Result>(work: (transaction: Transaction<Em>) => Promise<Result>): Promise<Result> {
    const result = await work(this);
    await this.#lastFlush;
    this.#lastFlush = null;
    return result;
  }

  /**
   * Sends the last changes of the unit of work, for whose answer only the end of the transaction waits, so that locks end sooner. They
   * must be one statement that returns no rows: a second one, or a later change, fails after the commit.
   */
  flushLast(): Promise<void> {
    return new Promise((sent, fail) => {
      this.#onChange = sent;
      this.#lastFlush = this.em.flush();
      this.#lastFlush.then(sent, fail);
    });
  }

  /** @throws Error if a row of this or an earlier statement was refused */
  async #query(query: Statement, isAwaited = true): Promise<Result> {
    // the connection may belong to the next transaction
    if (this.#ended) throw new Error('the transaction has ended');
    const loading = this.#loading;
    if (loading?.refusal) throw loading.refusal;
    const { sql, parameters, name = parameters.length > 0 ? keptName(sql, this.#limits?.userId ?? null) : '' } = query;
    const statement = { sql, parameters, name };
    this.writtenBytes += writtenBytes(sql, parameters);
    const span = this.#limits?.usage.beginStatement(sql);
    try {
      const result = await this.#send(() => resultOf(this.#client, statement, { loading, inTransaction: true }));
      span?.end();
      if (['INSERT', 'UPDATE'].includes(result.command)) this.writtenBytes += (result.rowCount ?? 0) * rowBytes;
      return result;
    } catch (error) {
      span?.end(error as Error);
      if ((error as { code?: unknown }).code === inFailedTransaction) throw this.#failure ?? this.#cause ?? error;
      this.#cause ??= error;
      if (!isAwaited) this.#failure ??= this.#cause;
      throw error;
    }
  }

  #control(text: string): Promise<Result> {
    return this.#send(() => this.#client.query(text));
  }

  /** The statements of one turn of the event loop are written to the socket together. */
  #send(send: () => Promise<Result>): Promise<Result> {
    const { stream } = driverOf(this.#client).connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    const answer = this.#isPipelined ? send() : this.#last.then(send);
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  #throwFailure(): void {
    const failure = this.#loading?.refusal ?? this.#failure;
    if (failure) throw failure;
  }

  /** Notes the write for replicas right behind the commit, which succeeds without it. */
  #note(): void {
    const { writer } = this;
    const replicas = this.#replicas;
    if (!replicas || writer === null) return;
    this.#send(() => resultOf(this.#client, noteWrite({ userId: writer }))).catch(({ message }: Error) => {
      replicas.warn(`a write was committed, but its user may not see it on a replica yet: ${message}`);
    });
  }
}

/** The bytes that a row takes in addition to its values: its header and its index entries. */
const rowBytes = 128;

/** The bytes of the values that a statement writes; 0 if it only reads. */
function writtenBytes(text: string, values: readonly unknown[]): number {
  if (!/^\s*(insert|update|with)\b/i.test(text)) return 0;
  // the ORM puts its values into the text
  return values.length === 0 ? Buffer.byteLength(text) : values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Buffer.isBuffer(value)) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeOf(each), 0);
  return 8;
}
