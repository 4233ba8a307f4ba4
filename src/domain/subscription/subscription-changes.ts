import sql, { raw, type Sql } from 'sql-template-tag';
import { type Context, type MemberContext, withMembership } from '../../engine/context.ts';
import { conditionSql } from '../../engine/list/condition.sql.ts';
import { type Condition, canonicalText, isEverything } from '../../engine/list/condition.ts';
import { type Count, readCounts } from '../../engine/list/count.ts';
import type { ListStatement } from '../../engine/list/list.sql.ts';
import { CursorScope, findOwnRows, type ListInput, type OwnList } from '../../engine/list/list.ts';
import { readPagesOf } from '../../engine/list/nested-pages.ts';
import type { Page } from '../../engine/list/page.ts';
import { batchLoader, type Loader, rowLoader } from '../../engine/loaders.ts';
import type { DomainError } from '../../kernel/errors.ts';
import { visibleEvents } from '../event/event.policy.ts';
import { visibleSubscriptions } from './subscription.policy.ts';
import { listKey } from './subscription.ts';
import { type SubscriptionChangeRow, subscriptionChangeResource } from './subscription-change.resource.ts';

const { order } = subscriptionChangeResource;

/**
 * A page of the history of each of several subscriptions, oldest first, in one statement. The map has no entry for a
 * subscription that the viewer may not see, and an INVALID_CURSOR error for one to which the cursor does not belong.
 */
export async function listChanges(
  ctx: MemberContext,
  subscriptionIds: readonly string[],
  input: ListInput,
): Promise<Map<string, Page<SubscriptionChangeRow> | DomainError>> {
  const { where, columns, cursors = true, flags = true } = input;
  const owner = ctx.membership.organizationId;
  return await readPagesOf<SubscriptionChangeRow>(
    ctx,
    subscriptionIds,
    input.paging,
    (parent) => new CursorScope(ctx, { owner, resource: subscriptionChangeResource, parent, order, where }),
    (ids, window) => ({
      ...historyOf(ctx, ids, where),
      columns,
      cursors,
      flags,
      order,
      window,
      prepared: isEverything(where),
    }),
  );
}

/** The number of entries of each subscription, up to `max` each if given. */
export async function countChanges(
  ctx: MemberContext,
  subscriptionIds: readonly string[],
  where: Condition,
  max?: number,
): Promise<Map<string, Count>> {
  return readCounts(ctx, historyOf(ctx, subscriptionIds, where), max);
}

/** The entries with these ids whose subscriptions the viewer may see, in no particular order. */
export async function findChanges(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<SubscriptionChangeRow[]> {
  const list: OwnList = {
    resource: subscriptionChangeResource,
    owner: ctx.membership.organizationId,
    visible: sql`exists (select from subscription p where p.id = t.subscription_id and ${visible(ctx)})`,
  };
  return findOwnRows<SubscriptionChangeRow>(ctx, list, ids, columns);
}

function historyOf(
  ctx: MemberContext,
  ids: readonly string[],
  where: Condition,
): Pick<ListStatement, 'resource' | 'condition' | 'parents' | 'from'> {
  return {
    resource: subscriptionChangeResource,
    condition: conditionSql(subscriptionChangeResource, where, ctx.now),
    parents: {
      table: 'subscription',
      link: raw('t.subscription_id = p.id'),
      condition: sql`p.id = any(${ids}::uuid[]) and ${visible(ctx)}`,
    },
    // on the primary: a change that was just made must appear
    from: 'write',
  };
}

/** The subscriptions that the viewer may see, over the alias `p`. */
function visible(ctx: MemberContext): Sql {
  return sql`exists (select from event e where e.id = p.event_id and ${visibleEvents(ctx, 'e')}) and ${visibleSubscriptions(ctx, 'p')}`;
}

export function changeLoader(ctx: Context, columns: readonly string[]): Loader<SubscriptionChangeRow | null> {
  return rowLoader(ctx, `change ${columns.join()}`, (ids) => findChanges(withMembership(ctx), ids, columns));
}

/** A page of the history, by subscription; null for one that the viewer may not see. */
export function changePageLoader(ctx: Context, input: ListInput): Loader<Page<SubscriptionChangeRow> | null> {
  type HistoryPage = Page<SubscriptionChangeRow> | null;
  return batchLoader<HistoryPage>(ctx, `change page ${listKey(input)}`, async (ids) => {
    const pages = await listChanges(withMembership(ctx), ids, input);
    // an error rejects only its own key
    return ids.map((id) => (pages.get(id) ?? null) as HistoryPage);
  });
}

/** The number of entries in the history (up to `max`), by subscription; null for one that the viewer may not see. */
export function changeCountLoader(ctx: Context, where: Condition, max?: number): Loader<Count | null> {
  return batchLoader<Count | null>(ctx, `change count ${max ?? 'of all'} ${canonicalText(where)}`, async (ids) => {
    const counts = await countChanges(withMembership(ctx), ids, where, max);
    return ids.map((id) => counts.get(id) ?? null);
  });
}
