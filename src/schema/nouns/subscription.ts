import { type GraphQLResolveInfo, getArgumentValues } from 'graphql';
import {
  asHolderOf,
  holderColumns,
  type SubscriptionRow,
  subscriptionResource,
} from '../../domain/subscription/subscription.resource.ts';
import { type SubscriptionListInput, subscriptionLoader } from '../../domain/subscription/subscription.ts';
import { type UserRow, userLoader } from '../../domain/user/user.ts';
import { builder } from '../builder/builder.ts';
import { planOnce, Selection } from '../builder/selection.ts';
import { connectionType, itemReads, itemSelections, needsPage } from '../relay/connection.ts';
import { oneNode } from '../relay/field-costs.ts';
import { type ListArguments, listArguments } from '../relay/list-arguments.ts';
import { resourceFields } from '../relay/node-fields.ts';
import { defineNode } from '../relay/node-types.ts';
import { whereInput } from '../relay/where.ts';
import { User, userColumns } from './user.ts';

export const EventSubscription = builder.objectRef<SubscriptionRow>('EventSubscription');

defineNode('EventSubscription', {
  organizational: true,
  loader: (ctx, selection) => subscriptionLoader(ctx, selection.columns()),
});

EventSubscription.implement({
  description: "A user's subscription to an event.",
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...resourceFields(t, 'EventSubscription', subscriptionResource),
    user: t.field({
      type: User,
      description: 'The user who subscribed.',
      extensions: { columns: holderColumns, cost: oneNode },
      resolve: (row, _args, ctx, info) => {
        const loader = planOnce(ctx, info, () => userLoader(ctx, userColumns(Selection.answer(info))));
        const user = loader.find(row.user_id) as UserRow | Promise<UserRow>;
        return user instanceof Promise ? user.then((found) => asHolderOf(row, found)) : asHolderOf(row, user);
      },
    }),
  }),
});

export const EventSubscriptionConnection = connectionType(EventSubscription, 'subscriptions');
export const EventSubscriptionWhere = whereInput('EventSubscriptionWhere', subscriptionResource);

/** @throws DomainError INVALID_QUERY */
export function subscriptionListInput(args: ListArguments, selection: Selection): SubscriptionListInput {
  return {
    ...listArguments(subscriptionResource, args, 1),
    ...itemReads(selection),
    userColumns: joinedColumns(selection),
  };
}

/** The columns of the users, which are read in the page's statement unless `nodes` and `edges` select different ones. */
function joinedColumns(selection: Selection): string[] | undefined {
  const users = itemSelections(selection).flatMap((each) => each.below('user') ?? []);
  const [columns, ...others] = users.map(userColumns);
  return others.every((each) => each.join() === columns?.join()) ? columns : undefined;
}

/**
 * The first selected page of subscriptions, to be read with the events. The field itself reads other pages, and reports
 * invalid arguments.
 *
 * @param places the selections of the events, wherever they appear
 */
export function nestedSubscriptions(
  { variableValues }: GraphQLResolveInfo,
  places: readonly Selection[],
): SubscriptionListInput | null {
  for (const events of places) {
    const field = events.type.getFields().subscriptions;
    const relation = events.relations().find(({ node }) => node.name.value === 'subscriptions');
    const [type] = relation?.types ?? [];
    if (!field || !relation || !type) continue;
    try {
      const args: ListArguments = getArgumentValues(field, relation.node, variableValues);
      const selection = events.under(relation.key, type);
      if (!args.after && !args.before && needsPage(selection, args)) return subscriptionListInput(args, selection);
    } catch {
      return null;
    }
  }
  return null;
}
