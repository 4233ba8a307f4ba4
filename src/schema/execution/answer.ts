import { type ExecutionResult, GraphQLError, type GraphQLLeafType, isEnumType } from 'graphql';

/** A result that is already serialized: Yoga sends the text, and `data` parses it only on access. */
export class WrittenAnswer implements ExecutionResult {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get data(): ExecutionResult['data'] {
    return (JSON.parse(this.text) as ExecutionResult).data;
  }

  /** Called by Yoga, without `this`. */
  stringify({ text }: WrittenAnswer): string {
    return text;
  }
}

/** The maximum size of a response (interface/graphql.md#limits-of-a-document). */
export const maxAnswerBytes = 5_000_000;

/** The error that replaces a response that is too large. */
export class AnswerTooLarge extends GraphQLError {
  /** @param options.executed whether the operation wrote something that is not rolled back */
  constructor({ executed = false } = {}) {
    const done = executed ? 'The mutation was executed, but its' : 'The';
    const message = `${done} response has more than 5 MB; ask for smaller pages or fewer fields.`;
    super(message, { extensions: { code: 'INVALID_QUERY' } });
  }
}

/** Whether a JSON text exceeds the maximum size of a response. */
export function isTextTooLarge(text: string): boolean {
  // a UTF-16 unit takes one to three bytes; most texts are short enough in any case
  if (text.length * 3 <= maxAnswerBytes) return false;
  return text.length > maxAnswerBytes || Buffer.byteLength(text) > maxAnswerBytes;
}

/** Whether the JSON of a result exceeds the maximum size. */
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

/** JSON text, or a promise of it if something has to be loaded first. */
export type Text = string | Promise<string>;

/** The error for a value that cannot be serialized; it is not sent, since graphql-js then reports its own. */
export function unexpected(expected: unknown, value: unknown): Error {
  return new Error(`${expected} expected, not ${typeof value}`);
}

/** Marks a promise as handled: another promise of the same result may be rejected first. */
export function handled(promise: Promise<string>): Promise<string> {
  promise.catch(() => undefined);
  return promise;
}

/** Concatenates the parts. */
export function joined(parts: Text[]): Promise<string> {
  return handled(Promise.all(parts).then((texts) => texts.join('')));
}

/** Serializes values of a scalar or an enum; throws for values outside the type (specification, section 6.4.3). */
export function leafText(type: GraphQLLeafType): (value: unknown) => string {
  if (isEnumType(type)) {
    const texts = new Map(type.getValues().map(({ name, value }) => [value, JSON.stringify(name)]));
    return (value) => texts.get(value) ?? refuse(type, value);
  }
  return scalars[type.name] ?? ((value) => JSON.stringify(type.coerceOutputValue(value)) ?? refuse(type, value));
}

const text = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : refuse('a string', value));

/** Scalars, for the kinds of values that our resolvers return; graphql-js would coerce others as well. */
const scalars: Record<string, (value: unknown) => string> = {
  String: text,
  ID: text,
  Int: (value) => (isInt(value) ? String(value) : refuse('a number', value)),
  DateTime: text,
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : refuse('a boolean', value)),
};

function isInt(value: unknown): value is number {
  // GraphQL's Int has 32 bits
  return typeof value === 'number' && value === (value | 0);
}

function refuse(expected: unknown, value: unknown): never {
  throw unexpected(expected, value);
}
