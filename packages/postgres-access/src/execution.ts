import pg, { type ClientBase, type Connection, type Pool } from 'pg';
import { DriverQuery, protocolOf, type Result, type Settle } from './driver.ts';
import { makeRoom } from './kept-names.ts';
import type { Statement } from './statement.ts';

/** The rows of a statement or transaction. */
export interface Loading {
  /** Counts a row; false if it must be dropped. @param bytes as PostgreSQL sent it */
  takes(bytes: number): boolean;
  /** Receives the rows after each one, of which it may remove the last. */
  added(rows: unknown[]): void;
  /** Why the statement fails, if it does because of a row. */
  readonly refusal: Error | null;
  /** Called when the statement has succeeded. */
  end(): void;
  /** Called when the statement or its transaction has failed. */
  drop(): void;
}

/** `quick` ends within milliseconds; `heavy` may reach a statement's timeout; `write` are transactions, which wait for locks. */
export type Work = 'quick' | 'heavy' | 'write';

/** The use of a connection. */
export interface Turn {
  end(): void;
}

/** What one request may use of the database, which its service decides. */
export interface RequestLimits {
  /** Who asks; null if unknown. Few texts of one user are kept prepared. */
  readonly userId: string | null;
  /** Who sees their own writes on replicas; null for nobody. */
  readonly writer: string | null;
  /** What is to be called when the client leaves, and why it is gone once it has left. */
  readonly waits: { readonly gone: Error | null; add(cancel: () => void): void; delete(cancel: () => void): void };
  readonly usage: { beginStatement(text: string): { end(error?: Error): void } | null };
  /** Calls `start` when it is the request's turn to use a connection, or `fail`. */
  onTurn(pool: Pool, work: Work, start: (turn: Turn) => void, fail: (reason: Error) => void): void;
  /** @param endsEarly called if the rows were cut off; without it they may not be */
  load(endsEarly?: () => void): Loading;
  /** Runs what loads rows, and again once there is room for them. @param isInside a transaction, which is repeated as a whole */
  withRoom<Result>(run: () => Promise<Result>, isInside: () => boolean): Promise<Result>;
  /** Called when the rows are no longer needed. */
  end(): void;
}

export interface Reading {
  /** Without it, rows are not limited. */
  loading?: Loading | undefined;
  /** Whether a transaction is open, which has its settings: none are sent with the statement. */
  inTransaction?: boolean;
  /** Of the statement alone. */
  settings?: Settings | undefined;
  /** Called once many bytes have been dropped: cancelling the statement then does not make it fail. */
  stop?: (() => void) | undefined;
}

/** By their names in PostgreSQL. */
export type Settings = Readonly<Record<string, string | number>>;
/** Calls that set settings, which must not be a client's, to the end of the transaction, or of the statement if none is open. */
export const localSettings = (settings: Settings) =>
  Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);

/** How many bytes are dropped before it is worth cancelling the statement. */
const maxDroppedBytes = 1_000_000;
/** The SQLSTATE of a cancelled statement. */
const cancelled = '57014';

/** One execution of a statement; fails if a row was refused. */
export class Execution extends DriverQuery {
  /** Behind a pooler: the {@link localSettings} of each transaction, and whether statements may have names. */
  session: { settings: readonly string[]; keepsNames: boolean } | null = null;
  readonly #name: string;
  readonly #reading: Reading;
  /** Whether the answer to the settings before the statement is outstanding. */
  #isPreceded = false;
  #hasFailed = false;
  #dropped = 0;

  /** @param settle if it were set later, V8 would keep most rows until the next major garbage collection */
  constructor({ name = '', sql, parameters }: Statement, reading: Reading, settle?: Settle) {
    // not as one object, which the driver would copy
    super(sql, parameters, settle);
    this.#name = name;
    this.#reading = reading;
    this.queryMode = reading.inTransaction ? undefined : 'extended';
  }

  override submit(connection: Connection): Error | null {
    this.name = this.#sentName;
    if (this.name) makeRoom(connection, this.name);
    const { inTransaction, settings: own = {} } = this.#reading;
    const settings = inTransaction ? [] : [...(this.session?.settings ?? []), ...localSettings(own)];
    return settings.length === 0 ? super.submit(connection) : this.#submitBehind(settings, connection);
  }

  get #sentName(): string {
    return this.session?.keepsNames === false ? '' : this.#name;
  }

  /** All messages before one `Sync` are one transaction (PostgreSQL 18, section 54.2.4), with which local settings end. */
  #submitBehind(settings: readonly string[], connection: Connection): Error | null {
    const protocol = protocolOf(connection);
    protocol.stream.cork();
    try {
      protocol.parse({ name: '', text: `select ${settings.join(', ')}` });
      protocol.bind({ statement: '', values: [] });
      protocol.execute();
      return super.submit(connection);
    } finally {
      // with a name, the driver takes the answer to the first `Parse` for that of the statement
      this.name = '';
      this.#isPreceded = true;
      protocol.stream.uncork();
    }
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    if (this.#isPreceded) {
      this.#isPreceded = false;
      this.name = this.#sentName;
    } else super.handleCommandComplete(message, connection);
  }

  override handleDataRow(message: { length: number }): void {
    if (this.#isPreceded) return;
    const { loading } = this.#reading;
    if (loading && !loading.takes(message.length)) {
      this.#drop(message.length);
      return;
    }
    super.handleDataRow(message);
    loading?.added(this._result.rows);
  }

  override handleReadyForQuery(connection: Connection): void {
    if (this.#hasFailed) return;
    const { loading } = this.#reading;
    if (loading?.refusal) {
      super.handleError(loading.refusal, connection);
      return;
    }
    loading?.end();
    super.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: Connection): void {
    const { submittedNamedStatements: submitted, parsedStatements: parsed } = protocolOf(connection);
    const isUnsent = !(error instanceof pg.DatabaseError);
    // the server skipped the statement, or the driver closed it since a value could not be sent
    if (this.#isPreceded || isUnsent) delete submitted[this.#name];
    if (isUnsent) {
      delete parsed[this.#name];
      this.name = '';
    }
    const isStopped = this.#dropped > maxDroppedBytes && (error as { code?: unknown }).code === cancelled;
    // what could not be sent gets an answer nevertheless
    this.#hasFailed = !isStopped;
    if (isStopped) this.handleReadyForQuery(connection);
    else super.handleError(error, connection);
  }

  /** Rows keep arriving until the statement is cancelled. */
  #drop(bytes: number): void {
    const before = this.#dropped;
    this.#dropped += bytes;
    if (before <= maxDroppedBytes && this.#dropped > maxDroppedBytes) this.#reading.stop?.();
  }
}

export function resultOf(client: ClientBase, statement: Statement, reading: Reading = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const settle: Settle = (error, result) => (error ? reject(error) : resolve(result as Result));
    client.query(new Execution(statement, reading, settle));
  });
}
