import type { GraphQLResolveInfo, ValidatedExecutionArgs } from 'graphql';
import { argumentsOf, type DocumentRules, type KnownOperation, type RootField } from '#compiled-graphql';
import { writesOf } from '../../engine/command.ts';
import type { FieldExtensions } from '../builder/field-extensions.ts';
import { AnswerTooLarge, maxAnswerBytes } from './answer.ts';

/** Of documents and operations (reference/graphql.md#limits-of-a-document). */
export const documentRules: DocumentRules = {
  limits: { depth: 10, introspectionDepth: 15, aliases: 15, directives: 10, tokens: 1_000 },
  maxCost: 10_000,
  // a text is the only scalar of ours
  compiled: { maxLength: maxAnswerBytes, tooLarge: () => new AnswerTooLarge(), texts: ['DateTime'] },
};

export type Root = RootField<FieldExtensions>;

/** Fields with the same response key are merged. */
export function countFields(roots: readonly RootField[]): number {
  return new Set(roots.map(({ node: { alias, name } }) => (alias ?? name).value)).size;
}

/** How many writes the fields count as. */
export function countWrites(roots: readonly Root[], { coerced }: GraphQLResolveInfo['variableValues']): number {
  const byKey = new Map(roots.map((root) => [(root.node.alias ?? root.node.name).value, root]));
  return [...byKey.values()].reduce((sum, { node, extensions: { command = {} } }) => {
    return sum + writesOf(command, argumentsOf(node, () => coerced)('input'));
  }, 0);
}

export interface OperationExecution {
  operation: KnownOperation;
  args: ValidatedExecutionArgs;
  cost: number;
  /** Rethrows errors that fail the whole operation, for which retrying with graphql-js is useless. */
  checkFailure(failure: unknown): void;
}
