import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import { Selection } from './selection.ts';

/** The property for a request's plans, on its loaders, which plans refer to. A weak map costs more garbage collection. */
const plans = Symbol('plans');
type Plans = Map<FieldNode, { nodes: readonly FieldNode[]; plan: unknown }>;

/** A place of a document where a field is resolved: the nodes that the executor merges there. */
export type Place = Pick<GraphQLResolveInfo, 'fieldNodes'>;

/**
 * Computes the plan of a place once per request instead of once per parent: arguments and selection are the same for all
 * parents. A field above it that reads rows for it may have made the plan already.
 */
export function planOnce<Plan>(ctx: { loaders: object }, { fieldNodes }: Place, make: () => Plan): Plan {
  const holder = ctx.loaders as { [plans]?: Plans };
  holder[plans] ??= new Map();
  const known = holder[plans];
  const [first] = fieldNodes as [FieldNode];
  const cached = known.get(first);
  // a field of a fragment may be merged with other fields in one place and not in another
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
