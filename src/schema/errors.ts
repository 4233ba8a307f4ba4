import { GraphQLError } from 'graphql';
import type { Log } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';

/**
 * The codes of `errors[].extensions.code`: those of the catalogue (decisions §4), two for what the schema itself refuses
 * and two for documents that are named and not sent, all of them as other GraphQL servers name them.
 */
export type GraphqlErrorCode =
  | DomainError['code']
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_ONLY';

/** What turning an error into an answer needs of its request. */
export interface ErrorScope {
  requestId: string;
  log: Log;
  /** Recognizes failures of the database that are expected, as that it is away. */
  toDomainError(error: unknown): unknown;
}

/** How a refusal is written as HTTP; Yoga reads it and leaves it out of the answer. */
export interface HttpHint {
  status: number;
  headers: Record<string, string>;
  /** The GraphQL-over-HTTP status, which `application/json` does not have: there it is 200. */
  spec?: boolean;
}

/** A refusal before anything was executed: its status is that of the catalogue, whatever is accepted (decisions §7). */
export function refusal(scope: ErrorScope, error: unknown, headers: Record<string, string> = {}): GraphQLError {
  const domain = expected(scope, error);
  const http: HttpHint = { status: domain.status, headers: { ...headers } };
  if (domain.code === 'INVALID_TOKEN') http.headers['www-authenticate'] = 'Bearer';
  if (domain.retryAfter !== undefined) http.headers['retry-after'] = String(domain.retryAfter);
  return new GraphQLError(domain.message, { extensions: { ...extensionsOf(scope, domain), http } });
}

/** What the schema or a limit refuses: an error of the request by the GraphQL-over-HTTP specification. */
export function requestError(scope: ErrorScope, error: GraphQLError, code: GraphqlErrorCode): GraphQLError {
  const { nodes, source, positions } = error;
  const http: HttpHint = { status: 400, headers: {}, spec: true };
  return new GraphQLError(withoutValues(error.message), {
    nodes,
    source,
    positions,
    extensions: { code, request_id: scope.requestId, http },
  });
}

/** What failed while the operation ran: the field's place stays, an unknown failure is masked and logged. */
export function executionError(scope: ErrorScope, error: GraphQLError): GraphQLError {
  const { nodes, path } = error;
  const original = error.originalError ?? error;
  // the executor's own words on an argument point into the document; those on an answer of ours do not
  if (original instanceof GraphQLError && original.nodes) {
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', request_id: scope.requestId };
    return new GraphQLError(withoutValues(error.message), { nodes, path, extensions });
  }
  const domain = expected(scope, original);
  return new GraphQLError(domain.message, { nodes, path, extensions: extensionsOf(scope, domain) });
}

/**
 * A message of the schema without the client's values, which graphql-js shows at its end: a password must not leave
 * (decisions §4). What is wrong with a value, and where, stays.
 */
function withoutValues(message: string): string {
  return message
    .replace(/\? Found: .*$/s, '?')
    .replace(/[,;] found: .*$/s, '.')
    .replace(/((?:String|Int|Float|Boolean|ID) cannot represent [^:]*): .*$/s, '$1.')
    .replace(/^(Syntax Error: .*?String) ".*$/s, '$1.');
}

function expected(scope: ErrorScope, error: unknown): DomainError {
  const known = scope.toDomainError(error);
  if (known instanceof DomainError && known.status < 500) return known;
  scope.log.error({ requestId: scope.requestId, err: error }, 'graphql request failed');
  return known instanceof DomainError ? known : new DomainError('INTERNAL_SERVER_ERROR');
}

/** The seconds to wait are here too: where other fields have succeeded the answer has no `Retry-After`. */
function extensionsOf(scope: ErrorScope, { code, issues, retryAfter }: DomainError): Record<string, unknown> {
  return {
    code,
    request_id: scope.requestId,
    ...(issues ? { errors: issues } : {}),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
  };
}
