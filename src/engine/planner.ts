import { type RawBuilder, sql } from 'kysely';
import { built } from '#postgres-access';

/** Changes settings of the open transaction, and computes `further`. */
export function settings(values: Record<string, string>, ...further: RawBuilder<unknown>[]) {
  const set = Object.entries(values).map(([name, value]) => sql`set_config(${sql.lit(name)}, ${sql.lit(value)}, true)`);
  return built(sql`select ${sql.join([...set, ...further])}`);
}

/** Use indexes, even if the table was empty when PostgreSQL last analyzed it. */
export const lookUpOnly = settings({ enable_seqscan: 'off' });

export const indexOrder = {
  ...{ enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off', enable_incremental_sort: 'off' },
  plan_cache_mode: 'force_generic_plan',
};
/** Use the index that has the wanted order, whatever the statistics say, and plan once. */
export const inIndexOrder = settings(indexOrder);

/** The same, and the commit does not wait for the disk. */
export const inIndexOrderDeferred = settings({ ...indexOrder, synchronous_commit: 'off' });
