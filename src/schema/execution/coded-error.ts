import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../../kernel/errors.ts';

/**
 * The codes of `errors[].extensions.code`: those of the catalogue (interface/errors.md#codes), two for invalid documents and
 * two for persisted documents, all four named as in other GraphQL servers.
 */
export type GraphqlErrorCode =
  | ErrorCode
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_ONLY';

/** An error with a code; errors of graphql-js, which have none, become GRAPHQL_VALIDATION_FAILED. */
export function codedError(code: GraphqlErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
