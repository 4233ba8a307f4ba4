import pg, { type Connection, type Pool, type PoolConfig, type Submittable } from 'pg';

type Row = Record<string, unknown>;

interface Column {
  name: string;
  /** Reads a value of the column's type from its text. */
  parse: (text: string) => unknown;
}

interface RowDescription {
  fields: { name: string; dataTypeID: number; format: 'text' | 'binary' }[];
}

/**
 * A statement, and what is known of it. Which columns it gives is asked for the first time and not with every answer, as
 * the driver's own queries do (docs/decisions/0019): connections that keep it are asked each, and PostgreSQL refuses to
 * run it where its columns have changed since. The types of the columns of all others must stay what they are for as long
 * as the process lives.
 */
export class Statement {
  /** By which connections keep it; empty where they do not. */
  readonly name: string;
  readonly text: string;
  columns: Column[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** Runs it on any connection of the pool. */
  async run(pool: Pool, values: readonly unknown[]): Promise<Row[]> {
    // with a promise for the rows, as with any query, where it is not told whom to call
    return (await pool.query(new Execution(this, values, pool.options.types))) as unknown as Row[];
  }
}

/** One execution, by the messages of the extended query protocol (PostgreSQL 18, section 54.2.3). */
class Execution implements Submittable {
  /** By these two the driver knows what it has parsed already on each connection. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Set by the driver. */
  callback: ((error: Error | null, rows?: Row[]) => void) | undefined;
  readonly #statement: Statement;
  readonly #types: PoolConfig['types'];
  readonly #rows: Row[] = [];
  #failure: Error | undefined;

  constructor(statement: Statement, values: readonly unknown[], types: PoolConfig['types']) {
    this.name = statement.name;
    this.text = statement.text;
    this.#statement = statement;
    this.values = values.map((value) => prepareValue(value));
    this.#types = types;
  }

  submit(connection: Connection): null {
    const wire = connection as unknown as Wire;
    const { name, text } = this;
    const isKept = name !== '' && wire.parsedStatements[name] !== undefined;
    const isDescribed = this.#statement.columns && (isKept || name === '');
    wire.stream.cork();
    if (!isKept) wire.parse({ name, text });
    wire.bind({ statement: name, values: this.values });
    if (!isDescribed) wire.describe({ type: 'P' });
    wire.execute();
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#statement.columns = fields.map(({ name, dataTypeID, format }) => ({
      name,
      parse: this.#types?.getTypeParser(dataTypeID, format) ?? String,
    }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(readRow(this.#statement.columns as Column[], fields));
    } catch (error) {
      // thrown here, it would end the process
      this.#failure = error as Error;
    }
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback?.(this.#failure);
    else this.callback?.(null, this.#rows);
  }
}

function readRow(columns: Column[], fields: (string | null)[]): Row {
  const row: Row = {};
  let index = 0;
  for (const { name, parse } of columns) {
    const value = fields[index] as string | null;
    row[name] = value === null ? null : parse(value);
    index += 1;
  }
  return row;
}

/** What the driver's types leave out of a connection, or give in an older form. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  describe(message: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

/** What the driver sends for a value of any kind, lists included. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;
