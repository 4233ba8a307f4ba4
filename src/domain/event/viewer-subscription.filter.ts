import sql, { raw, type Sql } from 'sql-template-tag';
import { type Context, withMembership } from '../../engine/context.ts';
import { select } from '../../engine/list/list.sql.ts';
import type { ListFilter, Scalar } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import { subscriptionStatuses } from './subscription-status.ts';

/** Filters events by the status of the viewer's newest subscription to them (reference/lists.md#viewer-subscription). */
export const viewerSubscriptionFilter: ListFilter = {
  ...field.choice(
    subscriptionStatuses,
    "The status of the viewer's newest subscription to the event; null if there is none.",
    { nullable: true },
  ),
  column: 'id',
  ofViewer: true,
  select: eventsOfViewer,
};

/** Read once per statement, by the index of a person's subscriptions, instead of once for each event of the organization. */
function eventsOfViewer(ctx: Context, statuses: readonly Scalar[] | null): Sql {
  const { viewer, membership } = withMembership(ctx);
  const own = sql`s.user_id = ${viewer.userId}::uuid and s.organization_id = ${membership.organizationId}::uuid`;
  const subscriptions = raw('subscription s');
  if (statuses === null) return select(raw('s.event_id'), subscriptions, sql`where ${own}`);
  const latest = sql`where ${own} order by s.event_id, s.created_at desc, s.id desc`;
  const newest = select(raw('distinct on (s.event_id) s.event_id, s.status'), subscriptions, latest);
  return select(raw('newest.event_id'), sql`(${newest}) newest`, sql`where newest.status = any(${statuses}::text[])`);
}
