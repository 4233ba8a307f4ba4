import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, type ClientConfig } from 'pg';

/** Takes the rows of an answer as they lie in memory. */
export interface RowReader {
  /**
   * The columns of a DataRow (PostgreSQL 18, section 54.7) lie from `start` to `end`: of each, four bytes of its length,
   * or -1 for null, and its text.
   */
  readRow(bytes: Buffer, start: number, end: number): void;
}

/**
 * A connection of the driver that hands the rows of an answer to the query that they are for, where that reads rows by
 * itself (docs/decisions/0019). All that is not such a row goes to the driver's own parser.
 */
export class RowClient extends Client {
  constructor(config?: RowClientConfig) {
    super(config);
    const driver = this as unknown as Driver;
    const { connection } = driver;
    const attach = connection.attachListeners;
    connection.attachListeners = (stream: Duplex) => {
      const rest = new EventEmitter();
      attach.call(connection, rest);
      const messages = new Messages(
        () => readerIn(driver._getActiveQuery()),
        (bytes) => rest.emit('data', bytes),
      );
      stream.on('data', (chunk: Buffer) => messages.take(chunk));
      if (config?.silenceTimeout) endSilence(driver, stream, config.silenceTimeout);
    };
  }
}

export interface RowClientConfig extends ClientConfig {
  /**
   * Milliseconds after which a query that has no end is given up with its connection: longer than the server lets one
   * run, so that there is nobody who could cancel it. A timer of the connection, for one of each query costs more.
   */
  silenceTimeout?: number;
}

function endSilence(driver: Driver, stream: Duplex, timeout: number): void {
  let seen: object | null = null;
  let since = 0;
  const timer = setInterval(() => {
    const active = driver._getActiveQuery() ?? null;
    if (active === null || active !== seen) {
      seen = active;
      since = performance.now();
    } else if (performance.now() - since > timeout) {
      stream.destroy(new Error('Connection terminated: the database fell silent'));
    }
  }, timeout / 4);
  timer.unref();
  stream.once('close', () => clearInterval(timer));
}

/** What the driver's types leave out of a client. */
interface Driver {
  /** The query whose answer is coming in; none once it has failed or ended. */
  _getActiveQuery(): object | null | undefined;
  connection: {
    /** The driver has it listen to its socket, and to the encrypted one instead where there is one. */
    attachListeners(stream: Duplex | EventEmitter): void;
  };
}

function readerIn(query: object | null | undefined): RowReader | null {
  return query && 'readRow' in query ? (query as RowReader) : null;
}

/** Lengths, in bytes: a message is its code, four bytes of how long the rest is, these included, and the rest. */
const code = 1;
const head = code + 4;
const columnCount = 2;

const dataRow = 'D'.charCodeAt(0);

/** Takes what comes in apart; a message may come in any number of chunks. */
class Messages {
  readonly #reader: () => RowReader | null;
  readonly #pass: (bytes: Buffer) => void;
  /** The beginning of a message, and how much of it must be there before it is worth another look. */
  #kept: Buffer[] = [];
  #keptLength = 0;
  #needed = 0;

  constructor(reader: () => RowReader | null, pass: (bytes: Buffer) => void) {
    this.#reader = reader;
    this.#pass = pass;
  }

  take(chunk: Buffer): void {
    if (this.#keptLength === 0) {
      this.#split(chunk);
      return;
    }
    this.#keep(chunk, this.#needed);
    if (this.#keptLength < this.#needed) return;
    const bytes = Buffer.concat(this.#kept, this.#keptLength);
    this.#kept = [];
    this.#keptLength = 0;
    this.#split(bytes);
  }

  #split(bytes: Buffer): void {
    let at = 0;
    let passed = 0;
    let needed = head;
    while (at + head <= bytes.length) {
      const end = at + code + bytes.readUInt32BE(at + code);
      if (end > bytes.length) {
        needed = end - at;
        break;
      }
      const reader = bytes[at] === dataRow ? this.#reader() : null;
      if (reader) {
        if (passed < at) this.#pass(bytes.subarray(passed, at));
        reader.readRow(bytes, at + head + columnCount, end);
        passed = end;
      }
      at = end;
    }
    if (passed < at) this.#pass(bytes.subarray(passed, at));
    if (at < bytes.length) this.#keep(bytes.subarray(at), needed);
  }

  #keep(bytes: Buffer, needed: number): void {
    this.#kept.push(bytes);
    this.#keptLength += bytes.length;
    this.#needed = needed;
  }
}
