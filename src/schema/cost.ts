import { GraphQLError, type GraphQLResolveInfo, type OperationDefinitionNode } from 'graphql';
import { argumentsOf, type ReadArgument } from './arguments.ts';
import { type PageArguments, pageSize } from './connection.ts';
import { rootSelection, type Selection, type SelectionSource } from './selection.ts';

/** How many nodes a field stands for, for each of its parents. */
export type FieldCost = (argument: ReadArgument) => number;

/** A to-one relation. */
export const oneNode: FieldCost = () => 1;
/** A connection. */
export const pageOfNodes: FieldCost = (argument) =>
  pageSize({ first: argument('first'), last: argument('last') } as PageArguments);
/** A list without pages, which is short by nature; counted like a page. */
export const shortList: FieldCost = () => pageSize({});
/** As many as there are ids. */
export const nodePerId: FieldCost = (argument) => {
  const ids = argument('ids');
  return Array.isArray(ids) ? ids.length : 1;
};

/** An operation may ask for this many nodes (decisions §7). */
export const maxCost = 10_000;

/** What the cost of an operation is measured against: validated execution arguments. */
export type CostSource = SelectionSource & Pick<GraphQLResolveInfo, 'operation' | 'variableValues'>;

/** Measures what operations cost; what does not depend on a request is worked out once for each operation. */
export class Costs {
  readonly #fixed = new WeakMap<OperationDefinitionNode, number | GraphQLError>();

  /**
   * How many nodes an operation can answer at the most: a page multiplies what is below it, a to-one field counts once
   * for each parent. Stops as soon as the limit is passed, which also bounds the walk: every relation adds at least one
   * node, and there is little between two of them.
   *
   * @param selection what the operation selects of the root, where that is known already
   * @returns the number, or the error that refuses the operation
   */
  measure(source: CostSource, selection: Selection | null): number | GraphQLError {
    const { operation } = source;
    const known = this.#fixed.get(operation);
    if (known !== undefined) return known;
    const cost = measureCost(source, selection ?? rootSelection(source, operation));
    if (!operation.variableDefinitions?.length) this.#fixed.set(operation, cost);
    return cost;
  }
}

function measureCost(source: CostSource, selection: Selection | null): number | GraphQLError {
  const total = selection ? new Meter(source).walk(selection, 1, 0) : 0;
  if (total <= maxCost) return total;
  return new GraphQLError(`The operation asks for more than ${maxCost} nodes; ask for smaller pages.`);
}

class Meter {
  readonly #variables: () => Record<string, unknown>;

  constructor({ variableValues }: CostSource) {
    this.#variables = () => variableValues.coerced;
  }

  /** The sum so far and what this selection adds to it, for `parents` parents. */
  walk(selection: Selection, parents: number, sum: number): number {
    let total = sum;
    for (const { key, node, types, cost } of selection.relations()) {
      const each = cost ? parents * cost(argumentsOf(node, this.#variables)) : parents;
      if (cost) total += each;
      if (total > maxCost) return total;
      // of an interface, the most costly of the types that can be the answer
      if (each > 0) total = Math.max(...types.map((type) => this.walk(selection.under(key, type), each, total)));
    }
    return total;
  }
}
