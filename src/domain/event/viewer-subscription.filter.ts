import sql, { type Sql } from 'sql-template-tag';
import { type Context, withMembership } from '../../engine/context.ts';
import type { ListFilter, Scalar } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import { subscriptionStatuses } from './subscription-status.ts';

/** Filters events by the status of the viewer's newest subscription to them (interface/lists.md#viewer-subscription). */
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

/**
 * The events whose newest subscription of the viewer has one of these statuses. Read once per statement, by the index of
 * a person's subscriptions: a look at each event would read the events of the whole organization.
 */
function eventsOfViewer(ctx: Context, statuses: readonly Scalar[] | null): Sql {
  const { viewer, membership } = withMembership(ctx);
  const own = sql`from subscription s
    where s.user_id = ${viewer.userId}::uuid and s.organization_id = ${membership.organizationId}::uuid`;
  if (statuses === null) return sql`select s.event_id ${own}`;
  return sql`select newest.event_id from (select distinct on (s.event_id) s.event_id, s.status ${own}
      order by s.event_id, s.created_at desc, s.id desc) newest where newest.status = any(${statuses}::text[])`;
}
