import type { ClientBase, Connection } from 'pg';
import { driverOf } from './driver.ts';
import { preparePlanModeSql } from './plan-mode.ts';
import { prepareScopeSql } from './scope.ts';

/**
 * Prepares what is sent in front of other statements, once for a session of its own: the driver would take the answer to a later
 * `Parse` for that of the statement behind, and count that one as prepared even if it fails.
 */
export const prepareOursSql = `${prepareScopeSql}; ${preparePlanModeSql}`;

const prepared = new WeakSet<object>();

/** Notes that a connection has run {@link prepareOursSql}. */
export function keepsOurs(client: ClientBase): void {
  prepared.add(driverOf(client).connection);
}

export function hasOurs(connection: Connection): boolean {
  return prepared.has(connection);
}
