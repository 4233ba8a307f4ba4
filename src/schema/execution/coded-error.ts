import { GraphQLError } from 'graphql';
import type { GraphqlErrorCode } from '../../http/errors.ts';

/** An error with a code; errors of graphql-js, which have none, become GRAPHQL_VALIDATION_FAILED. */
export function codedError(code: GraphqlErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
