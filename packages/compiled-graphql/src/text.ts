import { type GraphQLLeafType, isEnumType } from 'graphql';

/** JSON text, or a promise of it if something has to be loaded first. */
export type Text = string | Promise<string>;

/** Not sent: graphql-js reports its own error. */
export function unexpected(expected: unknown, value: unknown): Error {
  return new Error(`${expected} expected, not ${typeof value}`);
}

/** Another promise of the same result may be rejected first. */
export function handled(promise: Promise<string>): Promise<string> {
  promise.catch(() => undefined);
  return promise;
}

export function joined(parts: Text[]): Promise<string> {
  return handled(Promise.all(parts).then((texts) => texts.join('')));
}

/** Serializes values of a scalar or an enum; throws for other values (specification, section 6.4.3). */
export function leafText(type: GraphQLLeafType, texts: readonly string[]): (value: unknown) => string {
  if (isEnumType(type)) {
    const members = new Map(type.getValues().map(({ name, value }) => [value, JSON.stringify(name)]));
    return (value) => members.get(value) ?? refuse(type, value);
  }
  if (texts.includes(type.name)) return text;
  return scalars[type.name] ?? ((value) => JSON.stringify(type.coerceOutputValue(value)) ?? refuse(type, value));
}

const text = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : refuse('a string', value));

/** For the values that resolvers usually return; graphql-js coerces others. */
const scalars: Record<string, (value: unknown) => string> = {
  String: text,
  ID: text,
  Int: (value) => (isInt(value) ? String(value) : refuse('a number', value)),
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : refuse('a boolean', value)),
};

function isInt(value: unknown): value is number {
  // GraphQL's Int has 32 bits
  return typeof value === 'number' && value === (value | 0);
}

function refuse(expected: unknown, value: unknown): never {
  throw unexpected(expected, value);
}
