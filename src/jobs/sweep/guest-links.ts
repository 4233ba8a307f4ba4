import sql, { type Sql } from 'sql-template-tag';
import { linkEnd } from '../../domain/subscription/subscription-link.ts';
import type { Database } from '../../engine/database.ts';

/**
 * Deletes expired links to subscriptions. Links to an event that was moved are checked again later.
 *
 * @returns the rows that were examined: a full batch, or fewer if there are no more
 */
export async function deleteGuestLinks(db: Database, batchSize: number): Promise<unknown[]> {
  return await db.rows(guestLinksSql(batchSize));
}

export function guestLinksSql(batchSize: number): Sql {
  return sql`with due as (
      select l.hash, ${linkEnd} as ends from guest_link l
      join subscription s on s.id = l.subscription_id join event e on e.id = s.event_id
      where l.expires_at < now() order by l.expires_at limit ${batchSize} for update of l skip locked
    ), moved as (
      update guest_link l set expires_at = due.ends from due where l.hash = due.hash and due.ends >= now()
    ), gone as (
      delete from guest_link l using due where l.hash = due.hash and due.ends < now()
    )
    select hash from due`;
}
