import pg, { type Connection, type CustomTypesConfig, type Pool, type Submittable } from 'pg';
import type { RowReader } from './row-client.ts';

type Row = Record<string, unknown>;

interface Column {
  name: string;
  /** Reads a value of the column's type from its text. */
  parse: (text: string) => unknown;
  /** Whether the text of any value is ASCII. */
  isAscii: boolean;
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
    return (await pool.query(new Execution(this, values, pool.options.types ?? pg.types))) as unknown as Row[];
  }
}

/** One execution, by the messages of the extended query protocol (PostgreSQL 18, section 54.2.3). */
class Execution implements Submittable, RowReader {
  /** By these two the driver knows what it has parsed already on each connection. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Set by the driver. */
  callback: ((error: Error | null, rows?: Row[]) => void) | undefined;
  readonly #statement: Statement;
  readonly #types: CustomTypesConfig;
  readonly #rows: Row[] = [];
  #failure: Error | undefined;

  constructor(statement: Statement, values: readonly unknown[], types: CustomTypesConfig) {
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
      parse: this.#types.getTypeParser(dataTypeID, format),
      isAscii: asciiTypes.has(dataTypeID),
    }));
  }

  readRow(bytes: Buffer, start: number, end: number): void {
    try {
      this.#rows.push(readRow(this.#statement.columns as Column[], bytes, start, end));
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

/** A text is made of the whole row, and those of most values are parts of it: one for each value is what costs. */
function readRow(columns: Column[], bytes: Buffer, start: number, end: number): Row {
  const text = bytes.toString('latin1', start, end);
  const row: Row = {};
  let at = start;
  for (const { name, parse, isAscii } of columns) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length === -1) {
      row[name] = null;
      continue;
    }
    const next = at + length;
    row[name] = parse(isAscii ? text.slice(at - start, next - start) : bytes.toString('utf8', at, next));
    at = next;
  }
  return row;
}

const { BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, UUID, DATE, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;
const asciiTypes = new Set<number>([
  ...[BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC],
  ...[UUID, DATE, TIMESTAMP, TIMESTAMPTZ],
]);

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
