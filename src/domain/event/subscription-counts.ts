import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import { batchLoader, type Context, type Loader, withMembership } from '../../engine/context.ts';
import type { ListStatement } from '../../engine/list/page.ts';
import { isManager } from '../../kernel/request.ts';
import { anyOf, tables } from '../tables/tables.ts';
import type { SubscriptionStatus } from './subscription-status.ts';

export const countNames = ['pending', 'accepted', 'waitlisted', 'declined', 'cancelled', 'checked_in'] as const;
export type SubscriptionCounts = Record<SubscriptionStatus | 'checked_in', number>;

const counts = countNames.map((name) => {
  const counted = name === 'checked_in' ? sql`s.checked_in_at is not null` : sql`s.status = ${sql.lit(name)}`;
  return sql<number>`count(*) filter (where ${counted})::int`.as(name);
});

// members see no counts, so the viewer may see every event of the organization
const countsOf = prepared((at: { ids: readonly string[]; organizationId: string }) =>
  tables
    .selectFrom('event as e')
    .leftJoin('subscription as s', 's.event_id', 'e.id')
    .select(['e.id', ...counts])
    .where('e.id', '=', anyOf(at.ids))
    .where('e.organization_id', '=', at.organizationId)
    .groupBy('e.id'),
);

/** Null for members, and for an event of another organization. */
export function subscriptionCountsLoader(ctx: Context): Loader<SubscriptionCounts | null> {
  return batchLoader<SubscriptionCounts | null>(ctx, 'subscription counts', async (eventIds) => {
    const member = withMembership(ctx);
    if (!isManager(member.membership)) return eventIds.map(() => null);
    const { organizationId } = member.membership;
    const rows = await member.db.rows(countsOf({ ids: eventIds, organizationId }), { from: 'read', work: 'heavy' });
    const found = new Map(rows.map(({ id, ...counts }) => [id, counts]));
    return eventIds.map((id) => found.get(id) ?? null);
  });
}

export const joinedCounts: ListStatement['joined'] = {
  columns: [{ sql: () => sql`to_json(counts)`, name: 'subscription_counts' }],
  join: () =>
    sql`cross join lateral ${tables
      .selectFrom('subscription as s')
      .select(counts)
      .where('s.event_id', '=', sql.ref<string>('t.id'))} counts`,
};
