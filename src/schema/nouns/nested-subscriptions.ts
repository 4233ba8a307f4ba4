import { type FieldNode, GraphQLError, type GraphQLResolveInfo, getArgumentValues } from 'graphql';
import { planOnce, type Selection } from '#compiled-graphql';
import { nestedSubscriptions } from '../../domain/subscription/subscription.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { NestedPage } from '../../engine/list/page.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { ListArguments } from '../relay/list-arguments.ts';
import { planSubscriptions } from './subscription.ts';

/**
 * The first selected page of subscriptions, to be read in the statement of the events. The field's resolver reuses this
 * plan, reads other pages, and reports invalid arguments. @param places selections of the events, one for each place
 */
export function subscriptionsWithEvents(
  ctx: MemberContext,
  { variableValues }: GraphQLResolveInfo,
  places: readonly Selection[],
): NestedPage | null {
  for (const events of places) {
    const field = events.type.getFields().subscriptions;
    const relation = events.relations().find(({ node }) => node.name.value === 'subscriptions');
    const [type] = relation?.types ?? [];
    if (!field || !relation || !type) continue;
    const fieldNodes = events.fields.get(relation.key) as FieldNode[];
    try {
      const args: ListArguments = getArgumentValues(field, relation.node, variableValues);
      if (args.after || args.before || args.from) continue;
      const { input, pages } = planOnce(ctx, { fieldNodes }, () =>
        planSubscriptions(ctx, args, events.under(relation.key, type)),
      );
      if (pages) return nestedSubscriptions(ctx, input, pages);
    } catch (error) {
      if (error instanceof DomainError || error instanceof GraphQLError) return null;
      throw error;
    }
  }
  return null;
}
