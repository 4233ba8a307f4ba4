import sql from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';

/**
 * Deletes a batch of the oldest changes, and notes how far the log of their organizations has been shortened: to which number, and
 * to which time. They are kept a day longer than cursors are good for, so that whoever is reading is not overtaken (note 0058).
 *
 * @returns a batch of them, or fewer if there are no more
 */
export async function deleteOldChanges(db: Database, days: number, batchSize: number): Promise<unknown[]> {
  // a transaction that was open for long may have a low number and be young
  return await db.rows(sql`with oldest as (
      select ctid, occurred_at from change where x < pg_snapshot_xmin(pg_current_snapshot())
      order by x limit ${batchSize}
    ), expired as (
      select ctid from oldest where occurred_at < now() - make_interval(days => ${days + 1})
    ), gone as (
      delete from change where ctid = any(array(select ctid from expired)) returning organization_id, seq, occurred_at
    ), noted as (
      insert into change_floor (organization_id, seq, updated_at)
      select organization_id, max(seq), max(occurred_at) from gone group by organization_id order by organization_id
      on conflict (organization_id) do update
        set seq = greatest(change_floor.seq, excluded.seq), updated_at = greatest(change_floor.updated_at, excluded.updated_at)
    )
    select 1 from gone`);
}
