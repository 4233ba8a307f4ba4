import { GraphQLError, type ValidatedExecutionArgs } from 'graphql';
import type { DocumentRules, KnownOperation, RootField } from '#compiled-graphql';
import type { FieldExtensions } from '../builder/field-extensions.ts';

/** The maximum size of a response (reference/graphql.md#limits-of-a-document). */
export const maxAnswerBytes = 5_000_000;

export class AnswerTooLarge extends GraphQLError {
  /** @param options.executed whether the operation wrote something that is not rolled back */
  constructor({ executed = false } = {}) {
    const done = executed ? 'The mutation was executed, but its' : 'The';
    const message = `${done} response has more than 5 MB; ask for smaller pages or fewer fields.`;
    super(message, { extensions: { code: 'INVALID_QUERY' } });
  }
}

/** Of documents and operations (reference/graphql.md#limits-of-a-document). */
export const documentRules: DocumentRules = {
  limits: { depth: 10, introspectionDepth: 15, aliases: 15, directives: 10, tokens: 1_000 },
  maxCost: 10_000,
  // a text is the only scalar of ours
  compiled: { maxLength: maxAnswerBytes, tooLarge: () => new AnswerTooLarge(), texts: ['DateTime'] },
};

export type Root = RootField<FieldExtensions>;

export interface OperationExecution {
  operation: KnownOperation;
  args: ValidatedExecutionArgs;
  cost: number;
  /** Rethrows errors that fail the whole operation, for which retrying with graphql-js is useless. */
  checkFailure(failure: unknown): void;
}
