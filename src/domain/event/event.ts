import type { MemberContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Condition } from '../list/condition.ts';
import type { Count } from '../list/count.ts';
import type { ListInput } from '../list/list.ts';
import { findOwnRows, type OwnList, readOwnCount, readOwnPage } from '../list/own-list.ts';
import type { Page } from '../list/page.ts';
import { type NestedSubscriptions, nestedSubscriptions } from '../subscription/nested-subscriptions.ts';
import { parseUuid } from '../uuid.ts';
import { visibleEvents } from './event.policy.ts';
import { type EventRow, eventResource } from './event.resource.ts';

/** What may be asked of a list of events. */
export interface EventListInput extends ListInput {
  /** The page of subscriptions that each event is read with. */
  subscriptions?: NestedSubscriptions | null;
}

/**
 * A page of the organization's events that the viewer may see.
 *
 * @throws DomainError INVALID_CURSOR
 */
export async function listEvents(
  ctx: MemberContext,
  { subscriptions, ...input }: EventListInput,
): Promise<Page<EventRow>> {
  const nested = subscriptions && nestedSubscriptions(ctx, subscriptions);
  return readOwnPage<EventRow>(ctx, eventList(ctx), { ...input, nested: nested ?? null });
}

/** How many events the list would hold, up to `max` where it is given. */
export async function countEvents(ctx: MemberContext, where: Condition, max?: number): Promise<Count> {
  return readOwnCount(ctx, eventList(ctx), where, max);
}

/** The events of these ids that the viewer may see, in no order. */
export async function findEvents(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
  subscriptions?: NestedSubscriptions | null,
): Promise<EventRow[]> {
  const nested = subscriptions && nestedSubscriptions(ctx, subscriptions);
  return findOwnRows<EventRow>(ctx, eventList(ctx), ids, columns, nested);
}

/**
 * One event.
 *
 * @throws DomainError NOT_FOUND for what is unknown, foreign or not for the viewer's eyes
 */
export async function getEvent(ctx: MemberContext, id: string, columns: readonly string[]): Promise<EventRow> {
  const uuid = parseUuid(id);
  const found = uuid ? await ctx.loaders.event(columns).load(uuid) : null;
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

function eventList(ctx: MemberContext): OwnList {
  return { resource: eventResource, owner: ctx.membership.organizationId, visible: visibleEvents(ctx, 't') };
}
