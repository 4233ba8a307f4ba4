import type { ClientBase, Connection, Pool, QueryConfig } from 'pg';
import { DriverQuery, protocolOf, type Result, type Row, type Settle } from './driver.ts';
import type { LoadPart } from './load.ts';
import { hasOurs, type Planned, sendPlanMode } from './our-statements.ts';

/** A statement that returns rows, on any connection of a pool or on a reserved one. */
export class Statement {
  /** The name under which connections keep it prepared; empty if they do not. */
  readonly name: string;
  readonly text: string;
  /** How often PostgreSQL plans it where connections keep it; null to let it decide. */
  readonly planned: Planned | null;

  constructor(name: string, text: string, planned: Planned | null = null) {
    this.name = name;
    this.text = text;
    this.planned = planned;
  }

  /** Runs it on any connection of the pool. */
  async run(pool: Pool, values: readonly unknown[]): Promise<Row[]> {
    // without a callback the pool returns a promise of the result, as for any query
    const query: QueryConfig = new Execution(this, values, {});
    return (await pool.query<Row>(query)).rows;
  }

  /**
   * Runs it on a reserved connection.
   *
   * @throws DomainError if a row was refused
   */
  runOn(client: ClientBase, values: readonly unknown[], reading: Reading = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle: Settle = (error, result) => (error ? reject(error) : resolve(result as Result));
      this.send(client, values, reading, settle);
    });
  }

  /** Like {@link runOn}, with a callback. */
  send(client: ClientBase, values: readonly unknown[], reading: Reading, settle: Settle): void {
    client.query(new Execution(this, values, reading, settle));
  }
}

/** How the rows of a statement are handled. */
export interface Reading {
  /** Counts the rows; without it they are not limited. */
  part?: LoadPart | null | undefined;
  /** Whether a transaction is open, in which the settings are already applied. */
  inTransaction?: boolean;
  /** Allows the rows to be cut off if they are too large for one page; called if they were. */
  endsEarly?: (() => void) | undefined;
  /** Called once many bytes have been dropped: the statement can then be cancelled without making it fail. */
  stop?: (() => void) | undefined;
}

/** How many bytes are dropped before it is worth cancelling the statement. */
const maxDroppedBytes = 1_000_000;
/** The SQLSTATE of a cancelled statement. */
const cancelled = '57014';

/**
 * The maximum size of a page as JSON, less than the limit of a GraphQL response (`maxAnswerBytes`). A page ends before the row
 * that would exceed it, unless that is its first row.
 */
const maxPageBytes = 4_000_000;
/** The maximum number of bytes that one byte takes in JSON: `\u0001`. */
const longestEscape = 6;

/** One execution, in the extended query protocol if `shareSession` may have to add the settings. */
class Execution extends DriverQuery {
  readonly #part: LoadPart | null;
  readonly #page: PageSize | null;
  readonly #stop: (() => void) | undefined;
  readonly #planned: Planned | null;
  /** Whether the answer to what is sent in front of the statement is still to come. */
  #isPreceded = false;
  #dropped = 0;

  /**
   * @param settle the driver's callback. If it were set later, V8 would keep most rows until the next major garbage
   * collection (note 0048).
   */
  constructor(
    { name, text, planned }: Statement,
    values: readonly unknown[],
    { part = null, inTransaction = false, endsEarly, stop }: Reading,
    settle?: Settle,
  ) {
    // passed one by one: the driver would copy an object with all of them, which takes longer
    super(text, values, settle);
    this.name = name;
    this.queryMode = inTransaction ? undefined : 'extended';
    this.#planned = inTransaction ? null : planned;
    this.#part = part;
    this.#page = endsEarly ? new PageSize(endsEarly) : null;
    this.#stop = stop;
  }

  override submit(connection: Connection): Error | null {
    dropNames(connection);
    // behind a pooler it is planned each time
    if (this.#planned === null || !hasOurs(connection)) return super.submit(connection);
    const { stream } = protocolOf(connection);
    stream.cork();
    try {
      this.#isPreceded = true;
      sendPlanMode(connection, this.#planned);
      return super.submit(connection);
    } finally {
      stream.uncork();
    }
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    if (this.#isPreceded) this.#isPreceded = false;
    else super.handleCommandComplete(message, connection);
  }

  override handleDataRow(message: { length: number }): void {
    if (this.#isPreceded) return;
    if (this.#page?.isOver || (this.#part && !this.#part.takes(message.length))) {
      this.#drop(message.length);
      return;
    }
    super.handleDataRow(message);
    this.#page?.add(this._result.rows, message.length);
  }

  override handleReadyForQuery(connection: Connection): void {
    const refusal = this.#part?.refusal;
    if (refusal) {
      super.handleError(refusal, connection);
      return;
    }
    this.#page?.end();
    super.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: Connection): void {
    const isStopped = this.#dropped > maxDroppedBytes && (error as { code?: unknown }).code === cancelled;
    if (isStopped) this.handleReadyForQuery(connection);
    else super.handleError(error, connection);
  }

  /** Rows keep arriving until the statement is cancelled. */
  #drop(bytes: number): void {
    const before = this.#dropped;
    this.#dropped += bytes;
    if (before <= maxDroppedBytes && this.#dropped > maxDroppedBytes) this.#stop?.();
  }
}

/** Cuts off a page that is too large. */
class PageSize {
  /** Whether a row was dropped; all rows after it are dropped as well. */
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

/** The names under which connections keep prepared statements. */
class StatementNames {
  readonly #names = new Set<string>();
  #removals = 0;

  /** The number of removed names: when it has changed, connections deallocate their removed statements. */
  get removals(): number {
    return this.#removals;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    this.#names.add(name);
  }

  delete(name: string): void {
    if (this.#names.delete(name)) this.#removals += 1;
  }
}

export const keptNames = new StatementNames();

/** The value of `removals` when a connection last checked. */
const checked = new WeakMap<Connection, number>();

/** Deallocates the statements of a connection that are no longer kept. */
function dropNames(connection: Connection): void {
  if ((checked.get(connection) ?? 0) === keptNames.removals) return;
  checked.set(connection, keptNames.removals);
  const protocol = protocolOf(connection);
  for (const name of Object.keys(protocol.parsedStatements)) {
    if (keptNames.has(name)) continue;
    protocol.close({ type: 'S', name });
    delete protocol.parsedStatements[name];
  }
}
