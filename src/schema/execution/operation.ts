import { GraphQLError, type GraphQLResolveInfo, type ValidatedExecutionArgs } from 'graphql';
import { argumentsOf, type DocumentRules, type KnownOperation, type RootField } from '#compiled-graphql';
import { writesOf } from '../../engine/command.ts';
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

export function isTextTooLarge(text: string): boolean {
  // a UTF-16 unit takes one to three bytes; most texts are short enough in any case
  if (text.length * 3 <= maxAnswerBytes) return false;
  return text.length > maxAnswerBytes || Buffer.byteLength(text) > maxAnswerBytes;
}

export function isResultTooLarge(result: object): boolean {
  let characters = 0;
  // a string that occurs many times in a result is in memory once, but many times in the JSON
  const counted = (key: string, value: unknown) => {
    characters += key.length + (typeof value === 'string' ? value.length : 0);
    // far more, since positions in lists are keys as well
    if (characters > 4 * maxAnswerBytes) throw beyond;
    return value;
  };
  try {
    return isTextTooLarge(JSON.stringify(result, counted));
  } catch (error) {
    if (error !== beyond) throw error;
    return true;
  }
}

const beyond = new RangeError('The JSON is far too large.');

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
