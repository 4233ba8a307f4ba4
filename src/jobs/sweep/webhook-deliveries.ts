import sql from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';

/** How many tries of a webhook are kept (interface/webhooks.md#deliveries). */
const most = 100_000;

/**
 * Deletes the oldest tries of webhooks that have too many.
 *
 * @param kept how many are kept
 */
export async function deleteExcessDeliveries(db: Database, batchSize: number, kept = most): Promise<unknown[]> {
  return await db.rows(sql`delete from webhook_delivery where id = any(array(
      select d.id from webhook w cross join lateral (
        select created_at, id from webhook_delivery where webhook_id = w.id
        order by created_at desc, id desc offset ${kept} limit 1
      ) newest cross join lateral (
        select id from webhook_delivery where webhook_id = w.id and (created_at, id) <= (newest.created_at, newest.id)
        order by created_at, id limit ${batchSize}
      ) d limit ${batchSize}
    )) returning 1 as gone`);
}
