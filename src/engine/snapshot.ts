import type { Delivery } from '#slow-readers';
import type { Requester } from '../kernel/request.ts';
import type { Statement } from './database.ts';

/** The database as of one moment, however long reading takes. */
export interface Snapshot {
  /** Records how fast the client reads: one that is too slow loses the snapshot. */
  delivery: Delivery;
  rows<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** The rows of a statement, `size` at a time; PostgreSQL waits until the next batch is requested. */
  batches<Row>(statement: Statement<Row>, size: number): AsyncIterable<Row[]>;
}

export interface SnapshotRequest extends Requester {
  services: { limits: { enabled: boolean } };
}

/** A port like `Database`, with separate connections, since an export may take minutes. */
export interface Snapshots {
  /**
   * Runs `work` on a snapshot, which ends when the client disconnects or reads very slowly, and after ten minutes.
   *
   * @throws DomainError RATE_LIMITED if the viewer has two snapshots; SERVICE_UNAVAILABLE if none is free in time
   */
  read<Result>(request: SnapshotRequest, work: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
}
