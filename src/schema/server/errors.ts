import { GraphQLError } from 'graphql';
import { errorType, type GraphqlErrorCode, statusOf } from '../../http/errors.ts';
import { DomainError } from '../../kernel/errors.ts';
import { ClientGone, type Log } from '../../kernel/request.ts';

/** The parts of a request that converting an error needs. */
export interface ErrorScope {
  requestId: string;
  /** Where clients reach the service. */
  publicUrl: string;
  log: Log;
  /** Converts expected database failures, for example that the database is down. */
  toDomainError(error: unknown): unknown;
}

type Occurrence = Pick<ErrorScope, 'requestId' | 'publicUrl'>;

/** HTTP details of an error for Yoga, which removes them from the response. */
export interface HttpHint {
  status: number;
  headers: Record<string, string>;
  /** Whether the status depends on the media type (GraphQL over HTTP): with `application/json` it is 200. */
  spec?: boolean;
}

/** The request's method is not allowed for its operation. */
export class MethodRefused extends DomainError {
  /** The allowed methods, for the `Allow` header. */
  readonly allow: string;

  constructor(allow: string) {
    super('METHOD_NOT_ALLOWED');
    this.allow = allow;
  }
}

/**
 * An error before anything was executed: its status is that of the catalogue, for every media type
 * (interface/graphql.md#errors).
 */
export function refusal(scope: ErrorScope, error: unknown): GraphQLError {
  const domain = expected(scope, error);
  const http: HttpHint = { status: statusOf(domain), headers: {} };
  if (domain instanceof MethodRefused) http.headers.allow = domain.allow;
  if (domain.code === 'INVALID_TOKEN') http.headers['www-authenticate'] = 'Bearer';
  if (domain.retryAfter !== undefined) http.headers['retry-after'] = String(domain.retryAfter);
  return new GraphQLError(domain.message, { extensions: { ...extensionsOf(scope, domain), http } });
}

/** The response to a request that was refused before it reached the GraphQL handler. */
export function presentRefusedRequest(error: DomainError, scope: Occurrence): Record<string, unknown> {
  return { errors: [{ message: error.message, extensions: extensionsOf(scope, error) }] };
}

/** The response to an invalid document, as pages about its code show it. */
export function presentInvalidDocument(
  code: GraphqlErrorCode,
  message: string,
  scope: Occurrence,
): Record<string, unknown> {
  return { errors: [{ message, extensions: identityOf(scope, code) }] };
}

/** An invalid document or an exceeded limit: a request error in the sense of the GraphQL-over-HTTP specification. */
export function requestError(scope: ErrorScope, error: GraphQLError): GraphQLError {
  const { nodes, source, positions } = error;
  const { code = 'GRAPHQL_VALIDATION_FAILED' } = error.extensions;
  const http: HttpHint = { status: 400, headers: {}, spec: true };
  return new GraphQLError(withoutValues(error.message), {
    nodes,
    source,
    positions,
    extensions: { ...identityOf(scope, code as GraphqlErrorCode), http },
  });
}

/** An error during execution, with the field's path; unexpected failures are masked and logged. */
export function executionError(scope: ErrorScope, error: GraphQLError): GraphQLError {
  const { nodes, path } = error;
  const original = error.originalError ?? error;
  // graphql-js's errors about arguments have nodes of the document; its errors about our results do not
  if (original instanceof GraphQLError && original.nodes) {
    const extensions = identityOf(scope, 'GRAPHQL_VALIDATION_FAILED');
    return new GraphQLError(withoutValues(error.message), { nodes, path, extensions });
  }
  const domain = expected(scope, original);
  return new GraphQLError(domain.message, { nodes, path, extensions: extensionsOf(scope, domain) });
}

/**
 * Removes the client's values from a message of graphql-js, since they may be passwords (interface/errors.md#format). The
 * reason stays.
 */
function withoutValues(message: string): string {
  return withoutScalar(message)
    .replace(/\? Found: .*$/s, '?')
    .replace(/[,;] found: .*$/s, '.')
    .replace(/^(Syntax Error: .*?String) ".*$/s, '$1.');
}

/** Removes the value after "cannot represent". No regular expression: the value may have a megabyte, and contain any text. */
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
function extensionsOf(scope: Occurrence, { code, issues, retryAfter }: DomainError): Record<string, unknown> {
  return {
    ...identityOf(scope, code),
    ...(issues ? { errors: issues } : {}),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
  };
}

function identityOf({ requestId, publicUrl }: Occurrence, code: GraphqlErrorCode): Record<string, unknown> {
  return { code, type: errorType(publicUrl, code), request_id: requestId };
}
