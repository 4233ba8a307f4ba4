import { type GraphQLSchema, validateExecutionArgs } from 'graphql';
import type { FieldExtensions } from '../../builder/field-extensions.ts';
import { codedError } from '../../execution/coded-error.ts';
import { countFields } from '../../execution/operation.ts';
import { variableTypes } from '../../execution/variable-types.ts';
import { operationOf } from './documents.ts';
import { requireRoom } from './errors.ts';
import type { ServedPlugin } from './served.ts';

/** Coerces the variables, and refuses an operation that would cost too much with them. */
export function useCost(schema: GraphQLSchema): ServedPlugin {
  const variableSchema = variableTypes(schema);
  return {
    onContextBuilding({ context, extendContext }) {
      const { ctx, scope, asked } = context;
      const operation = operationOf(context);
      if (deeperThan(asked.variables, maxVariableDepth)) {
        throw codedError('INVALID_QUERY', `The variables are nested more than ${maxVariableDepth} levels deep.`);
      }
      const validated = validateExecutionArgs({
        schema: variableSchema,
        document: operation.document,
        contextValue: ctx,
        variableValues: asked.variables,
        operationName: asked.operationName,
      });
      if (!('schema' in validated)) throw new AggregateError(validated);
      const args = { ...validated, schema };
      const cost = operation.cost(args.variableValues);
      const roots = operation.rootFields<FieldExtensions>(() => args.variableValues.coerced);
      const callsOut = roots.filter(({ extensions }) => extensions.command?.callsOut);
      if (countFields(callsOut) > 1) throw codedError('INVALID_QUERY', 'An operation may test one webhook.');
      const checkFailure = (failure: unknown) => requireRoom(scope, failure);
      extendContext({ execution: { operation, args, cost, checkFailure }, roots });
    },
  };
}

/** Deeper than any valid input, but too shallow to exhaust the stack. */
const maxVariableDepth = 200;

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => deeperThan(each, levels - 1));
}
