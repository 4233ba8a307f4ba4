import { GraphQLError } from 'graphql';

/** The error for an operation that is valid by the schema and asks for more than it may. */
export function invalidQuery(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'INVALID_QUERY' } });
}
