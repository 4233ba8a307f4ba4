import { tracing } from '#otlp-traces';
import type { Served, ServedPlugin } from './served.ts';

/** Notes an operation for metrics, and traces it as a part of its request (note 0064). */
export function useUsage(): ServedPlugin {
  return {
    onContextBuilding({ context: { ctx, execution, roots } }) {
      const { operation, cost } = execution;
      const { node, document } = operation;
      // names that no client chooses: those of the schema, and of the operator's documents
      const type = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[node.operation];
      const names = new Set(roots.map((root) => root.node.name.value));
      names.delete('__typename');
      ctx.usage.rootFields = [...names].map((name) => `${type}.${name}`);
      const [first, second] = ctx.usage.rootFields;
      ctx.usage.operation = second === undefined ? (first ?? `${type}.__typename`) : `${type}.several`;
      if (document.trusted && node.name) ctx.usage.operation = `document.${node.name.value}`;
      ctx.usage.cost = cost;
    },
    ...(tracing.tracer && { instrumentation: { operation: traceOperation } }),
  };
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
