import pg, { type ClientBase, type Connection, type Pool, type Submittable } from 'pg';
import { DomainError } from '../../domain/errors.ts';
import { keptNames } from './statement-names.ts';

export type Row = Record<string, unknown>;

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
    const query = new Execution(this, values, Number.POSITIVE_INFINITY);
    // without a callback the pool returns a promise for the result, as for any query
    return ((await pool.query(query)) as unknown as Result).rows;
  }

  /**
   * Runs it on a reserved connection, for a request.
   *
   * @throws DomainError INVALID_QUERY for rows that would fill the memory
   */
  async runOn(client: ClientBase, values: readonly unknown[]): Promise<Row[]> {
    return await new Promise((resolve, reject) => {
      const settle: Settle = (error, result) => (error ? reject(error) : resolve((result as Result).rows));
      client.query(new Execution(this, values, maxRowBytes, settle));
    });
  }
}

/** The maximum total size of a statement's rows: several times that of any response. */
const maxRowBytes = 16_000_000;

function tooLarge(): DomainError {
  return new DomainError('INVALID_QUERY', { detail: 'The result has more than 16 MB; ask for smaller pages.' });
}

interface Result {
  rows: Row[];
}

type Settle = (error: Error | null | undefined, result?: Result) => void;

/** Members of the driver's queries that its types omit. */
interface DriverQuery extends Submittable {
  name: string;
  queryMode: 'extended' | undefined;
  submit(connection: Connection): Error | null;
  handleDataRow(message: { length: number }): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}
const DriverQuery = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  settle: Settle | undefined,
) => DriverQuery;

/** One execution; always by the extended query protocol, which `shareSession` needs to add the settings. */
class Execution extends DriverQuery {
  #bytesLeft: number;

  /**
   * @param settle what the driver calls in the end. If it were set later, V8 would keep most rows until the next major
   * collection (docs/decisions/0048).
   */
  constructor({ name, text }: Statement, values: readonly unknown[], maxBytes: number, settle?: Settle) {
    // the driver would copy an object with all of these, which takes longer
    super(text, values, settle);
    this.name = name;
    this.queryMode = 'extended';
    this.#bytesLeft = maxBytes;
  }

  override submit(connection: Connection): Error | null {
    dropNames(connection as unknown as Wire);
    return super.submit(connection);
  }

  override handleDataRow(message: { length: number }): void {
    this.#bytesLeft -= message.length;
    // the rest of the rows arrives in any case
    if (this.#bytesLeft >= 0) super.handleDataRow(message);
  }

  override handleReadyForQuery(connection: Connection): void {
    if (this.#bytesLeft < 0) this.handleError(tooLarge(), connection);
    else super.handleReadyForQuery(connection);
  }
}

/** Deallocates the statements of a connection that are no longer kept. */
function dropNames(wire: Wire): void {
  if (wire.removals === keptNames.removals) return;
  wire.removals = keptNames.removals;
  for (const name of Object.keys(wire.parsedStatements)) {
    if (keptNames.has(name)) continue;
    wire.close({ type: 'S', name });
    delete wire.parsedStatements[name];
  }
}

/** Members of a connection that the driver's types omit. */
interface Wire {
  parsedStatements: Record<string, string | undefined>;
  /** The number of removed names when this connection last checked. */
  removals?: number;
  close(message: { type: 'S'; name: string }): void;
}
