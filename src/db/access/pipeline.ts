import { Kysely, PostgresDialect } from 'kysely';
import type { PoolClient } from 'pg';
import type { Sql } from 'sql-template-tag';
import type { Span } from '../../kernel/tracing.ts';
import { type DriverClient, driverOf, type Result } from './driver.ts';
import { keptName } from './kept-statements.ts';
import type { LoadPart } from './load.ts';
import { SessionClient } from './session-client.ts';
import { Statement } from './statement.ts';

type HandOver = (answer: Promise<unknown>) => void;

/** The bytes that a transaction has written so far. */
export interface Written {
  bytes: number;
}

/** A statement that runs right behind a commit, in the same message. What was committed does not depend on it. */
interface BehindCommit {
  statement: Sql;
  /** Receives a message if it fails. */
  warn: (message: string) => void;
}

/**
 * Sends the statements of a transaction without waiting for the results of earlier ones, and those of the same tick in one
 * write: a round trip costs more than most statements. PostgreSQL still runs them one after the other, each on its own
 * snapshot. Behind a pooler, each statement waits for the one before it.
 */
export class Pipeline {
  /** The Kysely instance through which the ORM sends its statements. */
  readonly kysely = kyselyOn(this);
  /** Whether each statement waits for the one before it. */
  readonly isSerial: boolean;
  readonly #client: PoolClient;
  readonly #driver: DriverClient;
  /** The statements that begin a transaction. */
  readonly #beginning: readonly string[];
  #last: Promise<unknown> = Promise.resolve();
  #handOver: HandOver | null = null;
  #part: LoadPart | null = null;
  #corked = false;
  #written: Written = { bytes: 0 };

  private constructor(client: PoolClient) {
    this.#client = client;
    this.#driver = driverOf(client);
    const own = client instanceof SessionClient ? client : null;
    this.isSerial = !own?.ownsSession;
    this.#beginning = own?.beginning ?? ['begin'];
  }

  /**
   * Opens the pipeline of a connection that was just taken from its pool.
   *
   * @param part counts the loaded rows; null if they are not counted
   */
  static open(client: PoolClient, part: LoadPart | null): Pipeline {
    const pipeline = pipelines.get(client) ?? new Pipeline(client);
    pipelines.set(client, pipeline);
    pipeline.#part = part;
    pipeline.#driver.pipeline = !pipeline.isSerial;
    pipeline.#written = { bytes: 0 };
    return pipeline;
  }

  /** What has been written since the pipeline was opened. */
  get written(): Written {
    return this.#written;
  }

  async begin(): Promise<void> {
    await Promise.all(this.#beginning.map((text) => this.#control(text)));
  }

  end(text: 'commit' | 'rollback'): Promise<Result> {
    return this.#control(text);
  }

  #control(text: string): Promise<Result> {
    return this.#send(() => this.#client.query(text));
  }

  /** Runs a statement behind the commit that was just sent. */
  async behind({ statement: { text, values }, warn }: BehindCommit): Promise<void> {
    const statement = new Statement(this.isSerial ? '' : keptName(text, values), text);
    try {
      await this.#send(() => statement.runOn(this.#client, values));
    } catch (error) {
      warn(`a write was committed, but its user may not see it on a replica yet: ${(error as Error).message}`);
    }
  }

  /** @throws DomainError if a row of this or an earlier statement was refused */
  async query(text: string, values: readonly unknown[]): Promise<Result> {
    const part = this.#part;
    if (part?.refusal) throw part.refusal;
    const span = part?.usage.beginStatement(text);
    const written = this.#written;
    written.bytes += writtenBytes(text, values);
    const statement = new Statement(this.isSerial ? '' : keptName(text, values), text);
    const answered = this.#send(() => statement.runOn(this.#client, values, { part, inTransaction: true }));
    if (span) endWith(span, answered);
    const answer = await answered;
    written.bytes += writtenRows(answer.command, answer.rowCount);
    return answer;
  }

  #send(send: () => Promise<Result>): Promise<Result> {
    if (!this.isSerial) {
      this.#cork();
      return send();
    }
    const answer = this.#last.then(send);
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  /** Runs `work`, during which the ORM does not wait for the results of its inserts and updates but passes on the promises. */
  async handingOver(handOver: HandOver, work: () => Promise<void>): Promise<void> {
    this.#handOver = handOver;
    try {
      await work();
    } finally {
      this.#handOver = null;
    }
  }

  /** A statement of the ORM. */
  async queryOfOrm(text: string, values: readonly unknown[]): Promise<Result> {
    const answer = this.query(text, values);
    if (!this.#handOver || !isPlainWrite(text)) return await answer;
    this.#handOver(answer);
    return { command: '', rowCount: null, rows: [] };
  }

  /** Returns the connection to its pool, once all results have arrived. */
  close(error?: Error): void {
    this.#driver.pipeline = false;
    this.#part = null;
    this.#client.release(error);
  }

  /** Buffers writes until the end of the current tick. */
  #cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    const { stream } = this.#driver.connection;
    stream.cork();
    process.nextTick(() => {
      this.#corked = false;
      stream.uncork();
    });
  }
}

/** Ends a span with a result, whose failure is somebody else's concern. */
function endWith(span: Span, answered: Promise<unknown>): void {
  answered.then(
    () => span.end(),
    (error) => span.end(error),
  );
}

/** Whether it certainly returns no rows. May be false for one that does not, since the values are part of the text. */
function isPlainWrite(text: string): boolean {
  return /^(insert|update) /.test(text) && !text.includes(' returning ');
}

const pipelines = new WeakMap<PoolClient, Pipeline>();

function kyselyOn(pipeline: Pipeline): Kysely<unknown> {
  const client = {
    query: (text: string, values: readonly unknown[]) => pipeline.queryOfOrm(text, values),
    release: () => undefined,
  };
  const pool = { connect: async () => client, end: async () => undefined, options: {} };
  return new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) });
}

/** The bytes of a row besides its values: its header and its index entries. */
const rowBytes = 128;

/** The bytes of the values that a statement writes; 0 if it only reads. */
function writtenBytes(text: string, values: readonly unknown[]): number {
  if (!/^\s*(insert|update|with)\b/i.test(text)) return 0;
  // the ORM puts its values into the text
  return values.length === 0 ? Buffer.byteLength(text) : values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
}

/** The overhead of the rows that it wrote, in bytes. */
function writtenRows(command: string, rowCount: number | null): number {
  return command === 'INSERT' || command === 'UPDATE' ? (rowCount ?? 0) * rowBytes : 0;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Buffer.isBuffer(value)) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeOf(each), 0);
  return 8;
}
