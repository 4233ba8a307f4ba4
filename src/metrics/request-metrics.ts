import { Histogram, type Registry } from 'prom-client';
import { signals, type Usage } from '../kernel/usage.ts';
import { metricsOf } from './metrics-of.ts';

/**
 * Counts requests by operation. Operations, root fields and codes are from fixed sets, so no client can add series (note 0064). Returns
 * a function that ends it.
 */
export function countRequests(registry: Registry): () => void {
  const { counter } = metricsOf(registry);
  const requests = counter(
    'events_gateway_requests_total',
    'Requests by operation and HTTP status; status 0 if the client went away.',
    'face',
    'operation',
    'status',
  );
  const errors = counter(
    'events_gateway_errors_total',
    'Errors of responses by operation and code; a GraphQL response may have several.',
    'face',
    'operation',
    'code',
  );
  const seconds = new Histogram({
    name: 'events_gateway_request_seconds',
    help: 'Time from the head of a request to the last byte of its response.',
    labelNames: ['face', 'operation'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const statements = counter(
    'events_gateway_statements_total',
    'Statements that requests sent to the database.',
    'face',
    'operation',
  );
  const cost = counter('events_gateway_graphql_cost_total', 'Cost of GraphQL operations, in nodes.', 'operation');
  const rootFields = counter(
    'events_gateway_graphql_root_fields_total',
    'GraphQL operations by root field; an operation with several counts for each.',
    'field',
  );
  const count = (usage: Usage, status: number, milliseconds: number) => {
    const { face, operation } = usage;
    requests.inc({ face, operation, status });
    seconds.observe({ face, operation }, milliseconds / 1000);
    if (usage.statements > 0) statements.inc({ face, operation }, usage.statements);
    if (usage.cost > 0) cost.inc({ operation }, usage.cost);
    for (const field of usage.rootFields) rootFields.inc({ field });
    for (const code of usage.codes ?? []) errors.inc({ face, operation, code });
  };
  signals.on('requestEnded', count);
  return () => void signals.off('requestEnded', count);
}
