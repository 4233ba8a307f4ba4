import type { Connection } from 'pg';
import { protocolOf } from './driver.ts';

/** How often PostgreSQL plans a statement that a connection keeps, without asking whether another plan is cheaper. */
export type Planned = 'planned once' | 'planned each time';

const modes: Record<Planned, string> = {
  'planned once': 'force_generic_plan',
  'planned each time': 'force_custom_plan',
};

/** The name under which connections that own their session keep the statement. */
const name = 'gateway_plan_mode';

/** Prepares a session of its own for {@link sendPlanMode}. */
export const preparePlanModeSql = `prepare ${name} (text) as select set_config('plan_cache_mode', $1, true)`;

/**
 * Makes PostgreSQL plan the statement behind it as said, before the same `Sync`, as `sendScope` does. It is answered by a row
 * and its end, which that statement must expect. Only outside of transactions, and on connections that `keepOurs`.
 */
export function sendPlanMode(connection: Connection, planned: Planned): void {
  const protocol = protocolOf(connection);
  protocol.bind({ statement: name, values: [modes[planned]] });
  protocol.execute();
}
