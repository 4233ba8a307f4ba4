import type { ClientBase, Connection } from 'pg';
import { driverOf, protocolOf } from './driver.ts';

/** How often PostgreSQL plans a statement that a connection keeps, without asking whether another plan is cheaper. */
export type Planned = 'planned once' | 'planned each time';

const planModes: Record<Planned, string> = {
  'planned once': 'force_generic_plan',
  'planned each time': 'force_custom_plan',
};

/** The name under which connections that own their session keep the statement that sets the mode. */
const planMode = 'gateway_plan_mode';

/**
 * Prepares what is sent in front of other statements, once for a session of its own: the driver would take the answer to a later
 * `Parse` for that of the statement behind, and count that one as prepared even if it fails.
 */
export const prepareOursSql = `prepare ${planMode} (text) as select set_config('plan_cache_mode', $1, true)`;

const prepared = new WeakSet<object>();

/** Notes that a connection has run {@link prepareOursSql}. */
export function keepsOurs(client: ClientBase): void {
  prepared.add(driverOf(client).connection);
}

export function hasOurs(connection: Connection): boolean {
  return prepared.has(connection);
}

/**
 * Makes PostgreSQL plan the statement behind it as said. Both are sent before one `Sync`, so PostgreSQL takes them as one
 * transaction (section 54.2.4), and the mode ends with it. The mode is answered by a row and its end, which that statement must
 * expect. Only outside of transactions, and on connections that {@link hasOurs}.
 */
export function sendPlanMode(connection: Connection, planned: Planned): void {
  const protocol = protocolOf(connection);
  protocol.bind({ statement: planMode, values: [planModes[planned]] });
  protocol.execute();
}
