import type { Connection } from 'pg';
import { protocolOf } from './driver.ts';

/** Makes PostgreSQL use the plan that a connection keeps, for the rest of the transaction. */
const name = 'gateway_one_plan';
const text = `select set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** The connections that keep this statement. */
const prepared = new WeakSet<Connection>();

/**
 * Sends that in front of a named statement, before the same `Sync`, as `sendScope` does. It is answered by a row and its end, which
 * the statement must expect. Only outside of transactions.
 */
export function sendOnePlan(connection: Connection): void {
  const protocol = protocolOf(connection);
  if (!prepared.has(connection)) protocol.parse({ name, text });
  prepared.add(connection);
  protocol.bind({ statement: name, values: [] });
  protocol.execute();
}
