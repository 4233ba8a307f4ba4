import { planOnce, Selection } from '#compiled-graphql';
import { subscriptionPermissionsLoader } from '../../domain/subscription/permissions.ts';
import { type SubscriptionRow, subscriptionResource } from '../../domain/subscription/subscription.resource.ts';
import {
  eventSubscriptions,
  type SubscriptionListInput,
  subscriptionLoader,
  subscriptionPageLoader,
} from '../../domain/subscription/subscription.ts';
import { waitingPositionLoader } from '../../domain/subscription/waiting-position.ts';
import { type UserRow, userLoader } from '../../domain/user/user.ts';
import type { Context } from '../../engine/context.ts';
import { itemReads, itemSelections, needsPage } from '../relay/connection.ts';
import { type ListArguments, listArguments } from '../relay/list-arguments.ts';
import { pagesOf } from '../relay/own-connection.ts';
import { resourceNode } from '../relay/resource-node.ts';
import { permissionsType } from './permission.ts';
import { UserRef } from './user.ts';

const SubscriptionPermissionsRef = permissionsType(
  'EventSubscriptionPermissions',
  'What the viewer can do with a subscription now.',
  { cancel: 'Cancel it.', answer: 'Change its answers.', check_in: 'Check it in.' },
);

export const EventSubscriptionRef = resourceNode<SubscriptionRow>('EventSubscription', {
  description: "A user's subscription to an event.",
  resource: subscriptionResource,
  loader: subscriptionLoader,
  fields: (t) => ({
    waitingPosition: t.int({
      nullable: true,
      description: 'The position on the waiting list, 1 is next; null unless `WAITLISTED`.',
      extensions: { columns: ['status'] },
      resolve: ({ id, status }, _args, ctx) => (status === 'waitlisted' ? waitingPositionLoader(ctx).load(id) : null),
    }),
    viewerCan: t.field({
      type: SubscriptionPermissionsRef,
      description: 'What the viewer can do with the subscription now.',
      extensions: { cost: 1 },
      resolve: ({ id }, _args, ctx) => subscriptionPermissionsLoader(ctx).load(id),
    }),
    user: t.field({
      type: UserRef,
      description: 'The user who subscribed.',
      extensions: { columns: ['user_id'], cost: 1 },
      resolve: (row, _args, ctx, info) => {
        const loader = planOnce(ctx, info, () => userLoader(ctx, Selection.answer(info).columns()));
        return loader.find(row.user_id) as UserRow | Promise<UserRow>;
      },
    }),
  }),
});

export const subscriptionPages = pagesOf(EventSubscriptionRef, subscriptionResource, 'subscriptions');

/** What `Event.subscriptions` reads at one place of a document. @throws DomainError INVALID_QUERY */
export function planSubscriptions(ctx: Context, args: ListArguments, selection: Selection) {
  const input: SubscriptionListInput = {
    ...listArguments(subscriptionResource, args, 1),
    ...itemReads(selection),
    userColumns: columnsOfUsers(selection),
  };
  return {
    input,
    /** Null if no page is selected. */
    pages: needsPage(selection, args) ? subscriptionPageLoader(ctx, input) : null,
    /** By event, up to `max` if given. */
    counts: (max?: number) => eventSubscriptions.counts(ctx, input.where, max),
  };
}

/** The columns of the users to read in the page's statement; undefined if `nodes` and `edges` select different ones. */
export function columnsOfUsers(selection: Selection): string[] | undefined {
  const users = itemSelections(selection).flatMap((each) => each.below('user') ?? []);
  const [columns, ...others] = users.map((each) => each.columns());
  return others.every((each) => each.join() === columns?.join()) ? columns : undefined;
}
