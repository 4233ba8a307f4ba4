import type { Delivery } from '../kernel/delivery.ts';
import type { Requester } from '../kernel/request.ts';
import type { Query } from './database.ts';

/** The database as of one moment, however long reading takes. */
export interface Snapshot {
  /** Records how fast the client reads: a client that is too slow loses the snapshot. */
  delivery: Delivery;
  rows<Row>(statement: Query<Row>): Promise<Row[]>;
  /** The rows of a statement, `size` at a time; PostgreSQL waits until the next batch is requested. */
  batches<Row>(statement: Query<Row>, size: number): AsyncIterable<Row[]>;
}

/** The part of a request that reading a snapshot needs. */
export interface SnapshotRequest extends Requester {
  services: { limits: { enabled: boolean } };
}

/** Opens snapshots. A port like `Database`, with separate connections, since an export may take minutes. */
export interface Snapshots {
  /**
   * Runs `work` on a new snapshot. Its statements are cancelled when the client disconnects, and after ten minutes. If the
   * client reads very slowly the snapshot is ended, sooner if others are waiting for one.
   *
   * @throws DomainError RATE_LIMITED if the viewer already has two snapshots; SERVICE_UNAVAILABLE if all of them are taken, or
   * the organization has all but one, and none is released in time
   */
  read<Result>(request: SnapshotRequest, work: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
}
