import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../../kernel/errors.ts';

/**
 * The codes of `errors[].extensions.code`: those of the catalogue (interface/errors.md#codes), two for errors of the
 * schema and two for persisted documents, all named as in other GraphQL servers.
 */
export type GraphqlErrorCode =
  | ErrorCode
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_ONLY';

/** An error that says its code; without one, an error of the schema is GRAPHQL_VALIDATION_FAILED. */
export function codedError(code: GraphqlErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
