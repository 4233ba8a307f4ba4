import sql, { type Sql } from 'sql-template-tag';
import type { UnitOfWork } from '../../engine/database.ts';

/** How many attempts of a webhook are kept (interface/webhooks.md#deliveries), and how many are deleted at once beyond that. */
const most = 100_000;
const atOnce = 1_000;

/** A condition for webhooks whose log has to be trimmed, once what was logged is counted. */
export const isLogFull: Sql = sql`logged > ${most}`;

/** Deletes the oldest attempts of a webhook. Call under the lock of its row. */
export async function trimLog(unit: UnitOfWork, webhookId: string): Promise<void> {
  const kept = most - atOnce;
  await unit.run(sql`with newest as (
      select created_at, id from webhook_delivery where webhook_id = ${webhookId}::uuid
      order by created_at desc, id desc offset ${kept} limit 1
    ), gone as (
      delete from webhook_delivery d using newest
      where d.webhook_id = ${webhookId}::uuid and (d.created_at, d.id) <= (newest.created_at, newest.id)
    )
    update webhook set logged = ${kept} where id = ${webhookId}::uuid`);
}
