import type { Connection } from 'pg';
import { protocolOf } from './driver.ts';

/** The name under which connections that own their session keep the statement. */
const name = 'gateway_one_plan';

/** Prepares a session of its own for {@link sendOnePlan}. */
export const prepareOnePlanSql = `prepare ${name} as select set_config('plan_cache_mode', 'force_generic_plan', true)`;

/**
 * Makes PostgreSQL use the plan that a connection keeps of the statement behind it, before the same `Sync`, as `sendScope` does. It is
 * answered by a row and its end, which that statement must expect. Only outside of transactions, and on connections that `keepOurs`.
 */
export function sendOnePlan(connection: Connection): void {
  const protocol = protocolOf(connection);
  protocol.bind({ statement: name, values: [] });
  protocol.execute();
}
