import type { ClientBase, Connection, Pool } from 'pg';
import { DriverQuery, protocolOf, type Result, type Row, runOnPool, type Settle } from './driver.ts';
import type { LoadPart } from './load.ts';

/** A statement that returns rows, on any connection of a pool or on a reserved one. */
export class Statement {
  /** The name under which connections keep it; empty if they do not. */
  readonly name: string;
  readonly text: string;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** Runs it on any connection of the pool. */
  async run(pool: Pool, values: readonly unknown[]): Promise<Row[]> {
    return (await runOnPool(pool, new Execution(this, values, {}))).rows;
  }

  /**
   * Runs it on a reserved connection.
   *
   * @throws DomainError why a row was refused
   */
  runOn(client: ClientBase, values: readonly unknown[], reading: Reading = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle: Settle = (error, result) => (error ? reject(error) : resolve(result as Result));
      this.send(client, values, reading, settle);
    });
  }

  /** The same, with what is called at the end. */
  send(client: ClientBase, values: readonly unknown[], reading: Reading, settle: Settle): void {
    client.query(new Execution(this, values, reading, settle));
  }
}

/** What happens to the rows of a statement. */
export interface Reading {
  /** Counts them; without it there may be any number. */
  part?: LoadPart | null | undefined;
  /** Whether a transaction has been begun, whose settings are then in force. */
  inTransaction?: boolean;
  /** Allows them to end early, as those of a page; is called if they did. */
  endsEarly?: (() => void) | undefined;
  /** Is called once much has arrived that nobody keeps: the statement may be cancelled, which does not make it fail. */
  stop?: (() => void) | undefined;
}

/** Bytes that arrive for nothing before it is worth while to tell the server. */
const maxDroppedBytes = 1_000_000;
/** The SQLSTATE of a statement that was cancelled. */
const cancelled = '57014';

/**
 * The maximum size of a page as JSON, below what an answer of GraphQL may have (`maxAnswerBytes`): it ends before the row
 * that would exceed it, unless that is its first.
 */
const maxPageBytes = 4_000_000;
/** How many bytes one may become in JSON: `\u0001`. */
const longestEscape = 6;

/** One execution; by the extended query protocol where `shareSession` has to add the settings. */
class Execution extends DriverQuery {
  readonly #part: LoadPart | null;
  readonly #page: PageSize | null;
  readonly #stop: (() => void) | undefined;
  #dropped = 0;

  /**
   * @param settle what the driver calls in the end. If it were set later, V8 would keep most rows until the next major
   * collection (note 0048).
   */
  constructor(
    { name, text }: Statement,
    values: readonly unknown[],
    { part = null, inTransaction = false, endsEarly, stop }: Reading,
    settle?: Settle,
  ) {
    // the driver would copy an object with all of these, which takes longer
    super(text, values, settle);
    this.name = name;
    this.queryMode = inTransaction ? undefined : 'extended';
    this.#part = part;
    this.#page = endsEarly ? new PageSize(endsEarly) : null;
    this.#stop = stop;
  }

  override submit(connection: Connection): Error | null {
    dropNames(connection);
    return super.submit(connection);
  }

  override handleDataRow(message: { length: number }): void {
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

  /** The rest of the rows arrives until the server is told. */
  #drop(bytes: number): void {
    const before = this.#dropped;
    this.#dropped += bytes;
    if (before <= maxDroppedBytes && this.#dropped > maxDroppedBytes) this.#stop?.();
  }
}

/** Ends a page that is too large. */
class PageSize {
  /** Whether the last row was dropped: those after it are, too. */
  isOver = false;
  readonly #endsEarly: () => void;
  #received = 0;
  #measured = 0;
  #json = 0;

  constructor(endsEarly: () => void) {
    this.#endsEarly = endsEarly;
  }

  /** @param bytes of the last row as PostgreSQL sent it */
  add(rows: Row[], bytes: number): void {
    this.#received += bytes;
    // most pages are so small that nobody has to measure them
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

/** The names under which connections keep statements. */
class StatementNames {
  readonly #names = new Set<string>();
  #removals = 0;

  /** The number of removed names: connections check for their own when this has changed. */
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

/** The number of removed names when a connection last checked. */
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
