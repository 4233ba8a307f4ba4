import type { Pool, PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { cancelRunning } from './driver.ts';
import { beginning } from './session.ts';
import { rowsOn, type Statement } from './statement.ts';

/** The database as of one moment, however long reading takes. */
export interface Snapshot {
  rows<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** The rows of a statement, `size` at a time; PostgreSQL waits until the next batch is requested. */
  batches<Row>(statement: Statement<Row>, size: number): AsyncIterable<Row[]>;
}

interface SnapshotOptions {
  /** Receives what ends the snapshot early; returns what is to be called when it has ended. */
  begun(end: (why: Error) => void): () => void;
  /** Its first statements, which fix the moment. @throws Error if it may not be read */
  admit(snapshot: Snapshot): Promise<unknown>;
}

/** The mode of a transaction that reads one moment. */
export const snapshotMode = 'isolation level repeatable read read only';

/** Runs `work` on a snapshot, which has a separate connection. @throws Error that ended it */
export async function readSnapshot<Result>(
  pool: Pool,
  { begun, admit }: SnapshotOptions,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  let over: Error | undefined;
  // a cursor may not notice a lost connection, and code that waits for the client notices it late
  const lose = (why: Error) => {
    over ??= why;
    reject(over);
  };
  let cancelled: Promise<boolean> | undefined;
  client.on('error', lose);
  const stop = begun((why) => {
    cancelled ??= cancelRunning(client);
    lose(why);
  });
  let broken = true;
  try {
    await client.query(beginning(client, snapshotMode));
    const snapshot = snapshotOn(client, () => over);
    await admit(snapshot).catch(async (refusal) => {
      await client.query('rollback');
      broken = over !== undefined;
      throw refusal;
    });
    const result = await Promise.race([work(snapshot), ended]);
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    stop();
    await cancelled;
    client.off('error', lose);
    client.release(broken);
  }
}

/** Reads in a transaction. @param over why it has ended, if it has: rows read after that must not be sent */
export function snapshotOn(client: PoolClient, over: () => Error | undefined = () => undefined): Snapshot {
  return {
    rows: (statement) => rowsOn(client, statement),
    async *batches<Row>({ sql, parameters }: Statement<Row>, size: number) {
      const cursor = client.query(new Cursor<Row>(sql, [...parameters]));
      const read = () => {
        const batch = cursor.read(size);
        // awaited later, or never if the client disconnects in the meantime
        batch.catch(() => undefined);
        return batch;
      };
      // PostgreSQL reads the next batch while this one is being sent
      let next = read();
      while (true) {
        const rows = await next;
        const reason = over();
        if (reason) throw reason;
        const isLast = rows.length < size;
        if (!isLast) next = read();
        if (rows.length > 0) yield rows;
        if (isLast) return;
      }
    },
  };
}
