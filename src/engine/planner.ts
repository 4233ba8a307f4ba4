import { type RawBuilder, sql } from 'kysely';
import { built, localSettings, type Settings } from '#postgres-access';

/** Options for prepared statements, with PostgreSQL settings. */
const kept = <Given extends Settings>(settings: Given) => ({ prepared: true, settings });

/** Uses a generic plan, where custom plans wrongly seem cheaper. */
export const plannedOnce = kept({ plan_cache_mode: 'force_generic_plan' });
/** Planned each time, where the best plan depends on the values, as in a client's filter. */
export const plannedEachTime = kept({ plan_cache_mode: 'force_custom_plan' });
/** Uses indexes, even if the table was empty when PostgreSQL last analyzed it. */
export const lookUpOnly = kept({ enable_seqscan: 'off' });
/** Uses the index that has the wanted order, whatever the statistics say, and is planned once. */
export const inIndexOrder = kept({
  ...{ enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off', enable_incremental_sort: 'off' },
  ...plannedOnce.settings,
});
/** The same, but commits don't wait for the disk. */
export const deferred = { ...inIndexOrder.settings, synchronous_commit: 'off' };

/** Changes settings of the open transaction, and computes `further`. */
export function setSql(settings: Settings, ...further: RawBuilder<unknown>[]) {
  const set = localSettings(settings).map((each) => sql.raw(each));
  return built(sql`select ${sql.join([...set, ...further])}`);
}

export const setInIndexOrder = setSql(inIndexOrder.settings);
export const setInIndexOrderDeferred = setSql(deferred);
