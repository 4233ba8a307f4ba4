import type { GraphQLResolveInfo } from 'graphql';
import { argumentsOf, type ReadArgument } from './arguments.ts';
import { introspectionCost } from './introspection-cost.ts';
import { codedError } from './rules.ts';
import type { Selection, SelectionSource } from './selection.ts';

/** Nodes per parent; the extension `cost` of a field. */
export type FieldCost = number | ((argument: ReadArgument) => number);

type CostSource = SelectionSource & Pick<GraphQLResolveInfo, 'variableValues'>;

/**
 * A page multiplies everything below it, a to-one field counts once per parent, and an object of introspection once.
 * Stops at the limit, which bounds the time: every relation adds a node. @throws GraphQLError INVALID_QUERY
 */
export function measureCost(source: CostSource, selection: Selection | null, maxCost: number): number {
  const variables = () => source.variableValues.coerced;
  /** The sum so far plus the cost of this selection, for `parents` parents. */
  const walk = (selection: Selection, parents: number, sum: number): number => {
    let total = sum;
    for (const { key, node, types, extensions } of selection.relations()) {
      const { cost } = extensions as { cost?: FieldCost };
      const nodes = typeof cost === 'function' ? cost(argumentsOf(node, variables)) : cost;
      const each = parents * (nodes ?? 1);
      if (nodes !== undefined) total += each;
      if (total > maxCost) return total;
      // for an interface, the most expensive of the possible types
      if (each > 0) total = Math.max(...types.map((type) => walk(selection.under(key, type), each, total)));
    }
    return total;
  };
  const nodes = selection ? walk(selection, 1, 0) : 0;
  const total = nodes + (selection && nodes <= maxCost ? introspectionCost(source, selection, maxCost - nodes) : 0);
  if (total <= maxCost) return total;
  throw codedError('INVALID_QUERY', `The operation asks for more than ${maxCost} nodes; ask for smaller pages.`);
}
