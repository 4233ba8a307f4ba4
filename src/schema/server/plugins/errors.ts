import { type ExecutionResult, GraphQLError } from 'graphql';
import { errorType, type GraphqlErrorCode, statusOf } from '../../../http/errors.ts';
import { DomainError } from '../../../kernel/errors.ts';
import { ClientGone, meansNoRoom } from '../../../kernel/request.ts';
import type { ErrorScope, ServedPlugin } from './served.ts';

type Occurrence = Pick<ErrorScope, 'requestId' | 'publicUrl'>;
type Refusal = Pick<DomainError, 'message'> &
  Partial<Pick<DomainError, 'issues' | 'retryAfter'>> & { code: GraphqlErrorCode };

/** The errors of an execution are presented already. */
export function useErrors(): ServedPlugin {
  return {
    onResultProcess({ result, setResult, serverContext: { ctx, scope } }) {
      if (!('errors' in result) || !result.errors) return;
      const errors = 'data' in result ? result.errors : presented(scope, result.errors);
      for (const { extensions } of errors) ctx.usage.addCode(String(extensions.code));
      if (errors !== result.errors) setResult({ errors });
    },
  };
}

/** Several errors are those of the document or its variables; any other failure is one, even with several causes. */
function presented(scope: ErrorScope, errors: readonly GraphQLError[]): GraphQLError[] {
  const [first] = errors;
  // Yoga wraps thrown errors without a place in the document, and leaves out what aborted a request
  const isFailure = !first || first.extensions.unexpected || (first.originalError && !first.nodes);
  if (isFailure) return [refusal(scope, first?.originalError ?? first)];
  return errors.map((error) => requestError(scope, error));
}

/** Before execution, the status is the catalogue's for every media type (reference/graphql.md#errors). */
function refusal(scope: ErrorScope, error: unknown): GraphQLError {
  const domain = expected(scope, error);
  const headers: Record<string, string> = {};
  if (domain.code === 'INVALID_TOKEN') headers['www-authenticate'] = 'Bearer';
  if (domain.retryAfter !== undefined) headers['retry-after'] = String(domain.retryAfter);
  const http = { status: statusOf(domain), headers };
  return new GraphQLError(domain.message, { extensions: { ...extensionsOf(scope, domain), http } });
}

/** For a request that was refused before it reached Yoga, or that shows an error. */
export function presentRefusedRequest(error: Refusal, scope: Occurrence): Record<string, unknown> {
  return { errors: [{ message: error.message, extensions: extensionsOf(scope, error) }] };
}

/** An invalid document or an exceeded limit: a request error of the GraphQL-over-HTTP specification. */
export function requestError(scope: ErrorScope, error: GraphQLError): GraphQLError {
  const { nodes, source, positions } = error;
  const { code = 'GRAPHQL_VALIDATION_FAILED' } = error.extensions;
  // with `application/json` the status is 200 (GraphQL over HTTP)
  const http = { status: 400, spec: true };
  return new GraphQLError(withoutValues(error.message), {
    nodes,
    source,
    positions,
    extensions: { ...extensionsOf(scope, { code: code as GraphqlErrorCode }), http },
  });
}

export function presentResult(scope: ErrorScope, { data, errors }: ExecutionResult, cost: number): ExecutionResult {
  const answer: ExecutionResult = { data, extensions: { cost } };
  if (errors) answer.errors = errors.map((error) => executionError(scope, error));
  return answer;
}

/** If the service is too busy for a part of a query, all of it fails, so that a retry gets the complete result. */
export function requireRoom(scope: ErrorScope, failure: unknown): void {
  if (meansNoRoom(scope.toDomainError(failure))) throw failure;
}

/** With the field's path; unexpected failures are masked and logged. */
function executionError(scope: ErrorScope, error: GraphQLError): GraphQLError {
  const { nodes, path } = error;
  const original = error.originalError ?? error;
  // graphql-js's errors about arguments have nodes of the document; its errors about our results do not
  if (original instanceof GraphQLError && original.nodes) {
    const extensions = extensionsOf(scope, { code: 'GRAPHQL_VALIDATION_FAILED' });
    return new GraphQLError(withoutValues(error.message), { nodes, path, extensions });
  }
  const domain = expected(scope, original);
  return new GraphQLError(domain.message, { nodes, path, extensions: extensionsOf(scope, domain) });
}

/** Removes the client's values, which may be passwords, from graphql-js's message (reference/errors.md#format). */
function withoutValues(message: string): string {
  return withoutScalar(message)
    .replace(/\? Found: .*$/s, '?')
    .replace(/[,;] found: .*$/s, '.')
    .replace(/^(Syntax Error: .*?String) ".*$/s, '$1.');
}

/** No regular expression, since the value may be a megabyte of any text. */
function withoutScalar(message: string): string {
  const start = message.search(/(?:String|Int|Float|Boolean|ID) cannot represent /);
  const end = start === -1 ? -1 : message.indexOf(': ', start);
  return end === -1 ? message : `${message.slice(0, end)}.`;
}

function expected(scope: ErrorScope, error: unknown): DomainError {
  const known = scope.toDomainError(error);
  if (known instanceof DomainError && (statusOf(known) < 500 || known instanceof ClientGone)) return known;
  scope.log.error({ requestId: scope.requestId, err: error }, 'graphql request failed');
  return known instanceof DomainError ? known : new DomainError('INTERNAL_SERVER_ERROR');
}

/** Includes the seconds to wait, since the response has no `Retry-After` if other fields succeeded. */
function extensionsOf(
  scope: Occurrence,
  { code, issues, retryAfter }: Omit<Refusal, 'message'>,
): Record<string, unknown> {
  return {
    code,
    type: errorType(scope.publicUrl, code),
    request_id: scope.requestId,
    ...(issues ? { errors: issues } : {}),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
  };
}
