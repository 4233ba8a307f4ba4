import type { ClientBase, Connection, Pool } from 'pg';
import { DriverQuery, driverOf, protocolOf, type Result, type Row, type Settle } from './driver.ts';
import { makeRoom } from './kept-names.ts';
import type { Statement } from './statement.ts';

/** What becomes of the rows of a statement or transaction: a request may be able to hold only so many. */
export interface Loading {
  /** Counts a row; false if it must be dropped, and the statement fails. @param bytes as PostgreSQL sent it */
  takes(bytes: number): boolean;
  /** Why a row was refused, and all rows after it. */
  readonly refusal: Error | null;
  /** Called if the statement or transaction fails. */
  drop(): void;
}

/** `quick` ends within milliseconds; `heavy` may reach a statement's timeout; `write` are transactions, which wait for locks. */
export type Work = 'quick' | 'heavy' | 'write';

/** The use of a connection. */
export interface Turn {
  end(): void;
}

/** What one request may use of the database; its service decides that. Only a request's own statements are counted. */
export interface RequestLimits {
  /** Who asks; null if unknown. Few texts of one user are kept prepared. */
  readonly userId: string | null;
  /** Whose reads must see the own writes, and whose writes are noted for that; null for nobody's. */
  readonly writer: string | null;
  /** What is to be called when the client leaves, and why it is gone once it has left. */
  readonly waits: { readonly gone: Error | null; add(cancel: () => void): void; delete(cancel: () => void): void };
  /** Calls `start` when it is the request's turn to use a connection, which ends with `turn.end()`; or `fail`. */
  onTurn(pool: Pool, work: Work, start: (turn: Turn) => void, fail: (reason: Error) => void): void;
  /** Called for each statement, and `end` when it has ended. */
  beginStatement(text: string): { end(error?: Error): void } | null;
  /** For the rows of a statement outside transactions, or of a transaction. */
  load(): Loading;
  /** @throws Error if the request has loaded rows for too long */
  checkHold(): void;
  /** Whether an error only means that there was no room for the rows. */
  meansNoRoom(error: unknown): boolean;
  /** Waits, without a connection, until there is. */
  waitForRoom(): Promise<void>;
  /** Called once nothing refers to the rows any more. */
  end(): void;
}

export interface Reading {
  /** Counts the rows; without it they are not limited. */
  loading?: Loading | null | undefined;
  /** Whether a transaction is open, in which the settings are already applied. */
  inTransaction?: boolean;
  /** Has PostgreSQL use one plan for all values; only for a statement with a name. */
  plannedOnce?: boolean;
  /** Allows the rows to be cut off if they are too large for one page; called if they were. */
  endsEarly?: (() => void) | undefined;
  /** Called once many bytes have been dropped: cancelling the statement then does not make it fail. */
  stop?: (() => void) | undefined;
}

/** Sets a setting to the end of the transaction, or of the statement if none is open. */
export const localSetting = (name: string, value: string) => `set_config('${name}', '${value}', true)`;
const oncePlanned = localSetting('plan_cache_mode', 'force_generic_plan');

/** A session behind a pooler. */
interface SharedSession {
  /** The {@link localSetting}s of each transaction. */
  settings: readonly string[];
  keepsNames: boolean;
}

const sharedSessions = new WeakMap<object, SharedSession>();

export function shareSession(client: ClientBase, session: SharedSession): void {
  sharedSessions.set(driverOf(client).connection, session);
}

/** How many bytes are dropped before it is worth cancelling the statement. */
const maxDroppedBytes = 1_000_000;
/** The SQLSTATE of a cancelled statement. */
const cancelled = '57014';

/** One execution of a statement; fails if a row was refused. */
export class Execution extends DriverQuery {
  readonly #name: string;
  readonly #reading: Reading;
  readonly #page: PageSize | null;
  /** Whether the answer to the settings before the statement is outstanding. */
  #isPreceded = false;
  #isSubmitting = false;
  #isUnsent = false;
  #dropped = 0;

  /** @param settle if it were set later, V8 would keep most rows until the next major garbage collection */
  constructor({ name = '', sql, parameters }: Statement, reading: Reading, settle?: Settle) {
    // not as one object, which the driver would copy
    super(sql, parameters, settle);
    this.#name = name;
    this.#reading = reading;
    this.#page = reading.endsEarly ? new PageSize(reading.endsEarly) : null;
    this.queryMode = reading.inTransaction ? undefined : 'extended';
  }

  override submit(connection: Connection): Error | null {
    const session = sharedSessions.get(connection);
    this.name = this.#nameOn(connection);
    if (this.name) makeRoom(connection, this.name);
    const { inTransaction, plannedOnce } = this.#reading;
    const settings = inTransaction ? [] : [...(session?.settings ?? []), ...(plannedOnce ? [oncePlanned] : [])];
    this.#isSubmitting = true;
    const failure = settings.length === 0 ? super.submit(connection) : this.#submitBehind(settings, connection);
    this.#isSubmitting = false;
    return failure;
  }

  #nameOn(connection: Connection): string {
    return sharedSessions.get(connection)?.keepsNames === false ? '' : this.#name;
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
      this.name = this.#nameOn(connection);
    } else super.handleCommandComplete(message, connection);
  }

  override handleDataRow(message: { length: number }): void {
    if (this.#isPreceded) return;
    const { loading } = this.#reading;
    if (this.#page?.isOver || (loading && !loading.takes(message.length))) {
      this.#drop(message.length);
      return;
    }
    super.handleDataRow(message);
    this.#page?.add(this._result.rows, message.length);
  }

  override handleReadyForQuery(connection: Connection): void {
    if (this.#isUnsent) return;
    const refusal = this.#reading.loading?.refusal;
    if (refusal) {
      super.handleError(refusal, connection);
      return;
    }
    this.#page?.end();
    super.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: Connection): void {
    const { submittedNamedStatements: submitted, parsedStatements: parsed } = protocolOf(connection);
    // the server skipped the statement
    if (this.#isPreceded) delete submitted[this.#name];
    if (this.#isSubmitting) {
      // a value cannot be sent: the driver deallocates the statement, and will get an answer
      this.#isUnsent = true;
      this.name = '';
      delete submitted[this.#name];
      delete parsed[this.#name];
    }
    const isStopped = this.#dropped > maxDroppedBytes && (error as { code?: unknown }).code === cancelled;
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

/** The maximum size of a page as JSON, unless its first row is larger; less than a GraphQL response (`maxAnswerBytes`). */
const maxPageBytes = 4_000_000;
/** The maximum number of bytes that one byte takes in JSON: `\u0001`. */
const longestEscape = 6;

/** Cuts off a page that is too large. */
class PageSize {
  /** Whether this and all further rows are dropped. */
  isOver = false;
  readonly #endsEarly: () => void;
  #received = 0;
  #measured = 0;
  #json = 0;

  constructor(endsEarly: () => void) {
    this.#endsEarly = endsEarly;
  }

  /** @param bytes the size of the last row as PostgreSQL sent it */
  add(rows: Row[], bytes: number): void {
    this.#received += bytes;
    // most pages are too small to need measuring
    if (this.#received * longestEscape <= maxPageBytes) return;
    for (; this.#measured < rows.length; this.#measured += 1) {
      this.#json += Buffer.byteLength(JSON.stringify(rows[this.#measured]));
    }
    if (this.#json <= maxPageBytes || rows.length === 1) return;
    rows.pop();
    this.isOver = true;
  }

  end(): void {
    if (this.isOver) this.#endsEarly();
  }
}

export function resultOf(client: ClientBase, statement: Statement, reading: Reading = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const settle: Settle = (error, result) => (error ? reject(error) : resolve(result as Result));
    client.query(new Execution(statement, reading, settle));
  });
}
