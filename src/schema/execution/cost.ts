import type { GraphQLResolveInfo } from 'graphql';
import { rootSelection, type Selection, type SelectionSource } from '#compiled-graphql';
import { argumentsOf } from '../builder/arguments.ts';
import type { FieldExtensions } from '../builder/field-extensions.ts';
import { codedError } from './coded-error.ts';
import { introspectionCost } from './introspection-cost.ts';

/** The maximum number of nodes of an operation (reference/graphql.md#limits-of-a-document). */
export const maxCost = 10_000;

type CostSource = SelectionSource & Pick<GraphQLResolveInfo, 'operation' | 'variableValues'>;

/**
 * A page multiplies everything below it, a to-one field counts once per parent, and an object of introspection once.
 * Stops at the limit, which bounds the time: every relation adds a node. @throws GraphQLError INVALID_QUERY
 */
export function measureCost(source: CostSource): number {
  const variables = () => source.variableValues.coerced;
  /** The sum so far plus the cost of this selection, for `parents` parents. */
  const walk = (selection: Selection, parents: number, sum: number): number => {
    let total = sum;
    for (const { key, node, types, extensions } of selection.relations()) {
      const { cost } = extensions as FieldExtensions;
      const each = cost ? parents * cost(argumentsOf(node, variables)) : parents;
      if (cost) total += each;
      if (total > maxCost) return total;
      // for an interface, the most expensive of the possible types
      if (each > 0) total = Math.max(...types.map((type) => walk(selection.under(key, type), each, total)));
    }
    return total;
  };
  const selection = rootSelection(source, source.operation);
  const nodes = selection ? walk(selection, 1, 0) : 0;
  const total = nodes + (selection && nodes <= maxCost ? introspectionCost(source, selection, maxCost - nodes) : 0);
  if (total <= maxCost) return total;
  throw codedError('INVALID_QUERY', `The operation asks for more than ${maxCost} nodes; ask for smaller pages.`);
}
