import { type GraphQLLeafType, isEnumType } from 'graphql';

/** JSON as text, or a promise of it if something has to be read first. */
export type Text = string | Promise<string>;

/** The error for a value that cannot be written; graphql-js reports it in its own words. */
export function unexpected(expected: unknown, value: unknown): Error {
  return new Error(`${expected} expected, not ${typeof value}`);
}

/** Marks a promise as handled, since another one of the same result may be rejected first. */
export function handled(promise: Promise<string>): Promise<string> {
  promise.catch(() => undefined);
  return promise;
}

/** Concatenates the parts. */
export function joined(parts: Text[]): Promise<string> {
  return handled(Promise.all(parts).then((texts) => texts.join('')));
}

/** Writes values of a scalar or an enum; refuses values outside the type (specification, section 6.4.3). */
export function leafText(type: GraphQLLeafType): (value: unknown) => string {
  if (isEnumType(type)) {
    const texts = new Map(type.getValues().map(({ name, value }) => [value, JSON.stringify(name)]));
    return (value) => texts.get(value) ?? refuse(type, value);
  }
  return scalars[type.name] ?? ((value) => JSON.stringify(type.coerceOutputValue(value)) ?? refuse(type, value));
}

const text = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : refuse('a string', value));

/** Scalars, for the values that our resolvers return; the executor would also coerce others. */
const scalars: Record<string, (value: unknown) => string> = {
  String: text,
  ID: text,
  Int: (value) => (isInt(value) ? String(value) : refuse('a number', value)),
  DateTime: text,
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : refuse('a boolean', value)),
};

function isInt(value: unknown): value is number {
  // 32 bits, as GraphQL has them
  return typeof value === 'number' && value === (value | 0);
}

function refuse(expected: unknown, value: unknown): never {
  throw unexpected(expected, value);
}
