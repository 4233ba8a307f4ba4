import { type Expression, sql } from 'kysely';
import type { ListFilter, MemberScope, Scalar } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import { tables } from '../tables/tables.ts';
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
function eventsOfViewer({ viewer, membership }: MemberScope, statuses: readonly Scalar[] | null): Expression<unknown> {
  const own = tables
    .selectFrom('subscription as s')
    .select('s.event_id')
    .where('s.user_id', '=', viewer.userId)
    .where('s.organization_id', '=', membership.organizationId);
  if (statuses === null) return own;
  const newest = own.distinctOn('s.event_id').select('s.status').orderBy('s.event_id').orderBy('s.created_at', 'desc');
  return tables
    .selectFrom(newest.orderBy('s.id', 'desc').as('newest'))
    .select('newest.event_id')
    .where('newest.status', '=', sql<never>`any(${statuses}::text[])`);
}
