import sql, { raw, type Sql } from 'sql-template-tag';
import { batchLoader, type Context, type Loader, withMembership } from '../../engine/context.ts';
import type { ListStatement } from '../../engine/list/list.sql.ts';
import { isManager } from '../../kernel/request.ts';
import { visibleEvents } from './event.ts';
import type { SubscriptionStatus } from './subscription-status.ts';

export const countNames = ['pending', 'accepted', 'waitlisted', 'declined', 'cancelled', 'checked_in'] as const;
/** How many subscriptions an event has, by status, and how many of all were checked in. */
export type SubscriptionCounts = Record<SubscriptionStatus | 'checked_in', number>;

/** The counts of the subscriptions `s`. */
const countsSql: Sql = sql`count(*) filter (where s.status = 'pending')::int as pending,
          count(*) filter (where s.status = 'accepted')::int as accepted,
          count(*) filter (where s.status = 'waitlisted')::int as waitlisted,
          count(*) filter (where s.status = 'declined')::int as declined,
          count(*) filter (where s.status = 'cancelled')::int as cancelled,
          count(s.checked_in_at)::int as checked_in`;

/** The counts of events; null for members, and for an event that the viewer may not see. */
export function subscriptionCountsLoader(ctx: Context): Loader<SubscriptionCounts | null> {
  return batchLoader<SubscriptionCounts | null>(ctx, 'subscription counts', async (eventIds) => {
    const member = withMembership(ctx);
    if (!isManager(member.membership)) return eventIds.map(() => null);
    const rows = await member.db.rows<SubscriptionCounts & { id: string }>(
      sql`select e.id,
          ${countsSql}
        from event e left join subscription s on s.event_id = e.id
        where e.id = any(${eventIds}::uuid[]) and ${visibleEvents(member, 'e')} group by e.id`,
      { from: 'read', work: 'heavy' },
    );
    const found = new Map(rows.map(({ id, ...counts }) => [id, counts]));
    return eventIds.map((id) => found.get(id) ?? null);
  });
}

/** The counts of each event `t` of an export. */
export const joinedCounts: ListStatement['joined'] = {
  columns: [{ sql: raw('to_json(counts)'), name: 'subscription_counts' }],
  join: sql`cross join lateral (select ${countsSql} from subscription s where s.event_id = t.id) counts`,
};
