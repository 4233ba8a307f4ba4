import type { ClientBase, Connection, Submittable } from 'pg';
import { type DriverConnection, driverOf, protocolOf } from '../access/driver.ts';

/** Bytes that are sent at once: the server gives a row at a time. */
const pieceSize = 65_536;

/** What both directions have: a query whose end is awaited. */
class Copying implements Submittable {
  readonly text: string;
  readonly done: Promise<number>;
  #rows = 0;
  readonly #settled = Promise.withResolvers<number>();

  constructor(text: string) {
    this.text = text;
    this.done = this.#settled.promise;
    // whoever awaits it later gets the error all the same
    this.done.catch(() => undefined);
  }

  submit(connection: Connection): void {
    protocolOf(connection).query(this.text);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.#settled.resolve(this.#rows);
  }

  /** The last that the driver says of a query that failed. */
  handleError(error: Error): void {
    this.#settled.reject(error);
  }
}

class CopyIn extends Copying {
  readonly #begun = Promise.withResolvers<DriverConnection>();
  readonly begun = this.#begun.promise;

  constructor(text: string) {
    super(text);
    this.begun.catch(() => undefined);
  }

  handleCopyInResponse(connection: Connection): void {
    this.#begun.resolve(protocolOf(connection));
  }

  override handleError(error: Error): void {
    super.handleError(error);
    this.#begun.reject(error);
  }
}

class CopyOut extends Copying {
  readonly #take: (chunk: Buffer) => void;

  constructor(text: string, take: (chunk: Buffer) => void) {
    super(text);
    this.#take = take;
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#take(chunk);
  }
}

/**
 * Copies rows from one database to another as PostgreSQL writes them, without reading them here. The source waits where the target
 * is slower.
 *
 * @param select what to copy
 * @param into the table and its columns, as COPY takes them
 * @returns the number of rows
 */
export async function copyRows(
  source: ClientBase,
  target: ClientBase,
  { select, into }: { select: string; into: string },
): Promise<number> {
  const [from, to] = [driverOf(source), driverOf(target)];
  const writing = new CopyIn(`copy ${into} from stdin`);
  to.query(writing);
  const sink = await writing.begun;
  const { stream } = to.connection;
  let waits = false;
  const resume = () => {
    waits = false;
    from.connection.stream.resume();
  };
  let pending: Buffer[] = [];
  let size = 0;
  const flush = () => {
    sink.sendCopyFromChunk(Buffer.concat(pending));
    pending = [];
    size = 0;
  };
  const reading = new CopyOut(`copy (${select}) to stdout`, (chunk) => {
    // the driver uses its buffer again
    pending.push(Buffer.from(chunk));
    size += chunk.length;
    if (size < pieceSize) return;
    flush();
    if (waits || !stream.writableNeedDrain) return;
    waits = true;
    from.connection.stream.pause();
    stream.once('drain', resume);
  });
  from.query(reading);
  try {
    await Promise.race([reading.done, writing.done]);
    await reading.done;
    flush();
    sink.endCopyFrom();
  } catch (error) {
    sink.sendCopyFail('the source failed');
    await writing.done.catch(() => undefined);
    throw error;
  } finally {
    stream.off('drain', resume);
    // what was read before the pause may have been the end
    resume();
  }
  return await writing.done;
}
