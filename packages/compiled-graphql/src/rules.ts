import { GraphQLError } from 'graphql';
import type { AnswerBounds } from './compile.ts';

export interface DocumentLimits {
  /** Levels of fields. */
  depth: number;
  /** Levels of fields below `__schema` and `__type`. */
  introspectionDepth: number;
  aliases: number;
  directives: number;
  tokens: number;
}

export interface DocumentRules {
  limits: DocumentLimits;
  /** The maximum number of nodes of an operation. */
  maxCost: number;
  /** What a compiled query may write. */
  compiled: AnswerBounds;
}

/** An error with a code; errors of graphql-js have none. */
export function codedError(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
