import { type GraphQLSchema, validateExecutionArgs } from 'graphql';
import type { KnownOperation } from '#compiled-graphql';
import { tracing } from '#otlp-traces';
import type { Usage } from '../../../kernel/usage.ts';
import type { FieldExtensions } from '../../builder/field-extensions.ts';
import { codedError } from '../../execution/coded-error.ts';
import type { Root } from '../../execution/operation.ts';
import { variableTypes } from '../../execution/variable-types.ts';
import { operationOf } from './documents.ts';
import { requireRoom } from './errors.ts';
import type { Served, ServedPlugin } from './served.ts';

/**
 * What an operation will use: with its variables, which are coerced here, it is refused if it would cost too much, and else noted
 * for metrics and traced as a part of its request (note 0064).
 */
export function useUsage(schema: GraphQLSchema): ServedPlugin {
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
      const selected = operation.rootFields<FieldExtensions>(() => args.variableValues.coerced);
      // fields with the same response key are merged
      const byKey = new Map(selected.map((root) => [(root.node.alias ?? root.node.name).value, root]));
      const roots = [...byKey.values()];
      if (roots.filter(({ extensions }) => extensions.command?.callsOut).length > 1) {
        throw codedError('INVALID_QUERY', 'An operation may test one webhook.');
      }
      ctx.usage.cost = cost;
      nameOperation(ctx.usage, operation, roots);
      const checkFailure = (failure: unknown) => requireRoom(scope, failure);
      extendContext({ execution: { operation, args, cost, checkFailure }, roots });
    },
    ...(tracing.tracer && { instrumentation: { operation: traceOperation } }),
  };
}

/** Deeper than any valid input, but too shallow to exhaust the stack. */
const maxVariableDepth = 200;

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => deeperThan(each, levels - 1));
}

/** With names that no client chooses: those of the schema, and of the operator's documents. */
function nameOperation(usage: Usage, { node, document }: KnownOperation, roots: readonly Root[]): void {
  const type = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[node.operation];
  const names = new Set(roots.map((root) => root.node.name.value));
  names.delete('__typename');
  usage.rootFields = [...names].map((name) => `${type}.${name}`);
  const [first, second] = usage.rootFields;
  usage.operation = second === undefined ? (first ?? `${type}.__typename`) : `${type}.several`;
  if (document.trusted && node.name) usage.operation = `document.${node.name.value}`;
}

async function traceOperation({ context }: { context: unknown }, run: () => unknown): Promise<void> {
  const { usage } = (context as Served).ctx;
  const outer = usage.span;
  const span = outer?.child('graphql', 'internal');
  if (span) usage.span = span;
  try {
    await run();
  } finally {
    usage.span = outer;
    span?.rename(`graphql ${usage.operation}`);
    span?.set({ 'events_gateway.cost': usage.cost });
    span?.end();
  }
}
