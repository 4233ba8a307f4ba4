import type { Sql } from 'sql-template-tag';
import type { Delivery } from '../kernel/delivery.ts';
import type { Requester } from '../kernel/request.ts';

/** The database as it is at one moment, however long it takes to read it. */
export interface Snapshot {
  /** Where its reader says what its client takes: one that is too slow loses the snapshot. */
  delivery: Delivery;
  rows<Row>(statement: Sql): Promise<Row[]>;
  /** The rows of a statement of any length, so many at a time; PostgreSQL waits while nobody asks for more. */
  batches<Row>(statement: Sql, size: number): AsyncIterable<Row[]>;
}

/** What reading a snapshot needs of a request. */
export interface SnapshotRequest extends Requester {
  services: { limits: { enabled: boolean } };
}

/** Opens snapshots: a port like `Database`, with connections of its own, since an export may take minutes. */
export interface Snapshots {
  /**
   * Runs `work` on a snapshot of the viewer's own. Its statements end when the client goes away, and after ten minutes. One
   * whose client reads very slowly is ended, sooner if somebody waits.
   *
   * @throws DomainError RATE_LIMITED if the viewer reads two already; SERVICE_UNAVAILABLE if too many others do, or the
   * organization all but one that there can be, and none ends in time
   */
  read<Result>(request: SnapshotRequest, work: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
}
