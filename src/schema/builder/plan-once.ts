import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import { Selection } from './selection.ts';

/** The property with a request's plans, on its loaders, which the plans refer to. A weak map would cost more garbage collection. */
const plans = Symbol('plans');
type Plans = Map<FieldNode, { nodes: readonly FieldNode[]; plan: unknown }>;

/** A place in a document where a field is resolved, as the nodes that the executor merges there. */
export type Place = Pick<GraphQLResolveInfo, 'fieldNodes'>;

/**
 * Computes the plan of a place once per request instead of once per parent, since arguments and selection are the same for
 * all parents. A field above it that reads its rows ahead may already have computed the plan.
 */
export function planOnce<Plan>(ctx: { loaders: object }, { fieldNodes }: Place, make: () => Plan): Plan {
  const holder = ctx.loaders as { [plans]?: Plans };
  holder[plans] ??= new Map();
  const known = holder[plans];
  const [first] = fieldNodes as [FieldNode];
  const cached = known.get(first);
  // a fragment's field may be merged with other fields in one place and not in another
  if (cached && sameNodes(cached.nodes, fieldNodes)) return cached.plan as Plan;
  const plan = make();
  known.set(first, { nodes: fieldNodes, plan });
  return plan;
}

function sameNodes(a: readonly FieldNode[], b: readonly FieldNode[]): boolean {
  return a.length === b.length && a.every((node, index) => node === b[index]);
}

/** The columns that the selection below a field needs. */
export function answerColumns(ctx: { loaders: object }, info: GraphQLResolveInfo): string[] {
  return planOnce(ctx, info, () => Selection.answer(info).columns());
}
