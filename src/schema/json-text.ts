import { type GraphQLLeafType, isEnumType } from 'graphql';

/** JSON as text, or the promise of it where something has to be read first. */
export type Text = string | Promise<string>;

/** Why a text cannot be written: the executor has its own words for it. */
export function unexpected(expected: unknown, value: unknown): Error {
  return new Error(`${expected} expected, not ${typeof value}`);
}

/** The promise, which may also be dropped: another one of the same answer may be rejected before. */
export function handled(promise: Promise<string>): Promise<string> {
  promise.catch(() => undefined);
  return promise;
}

/** The parts one after the other. */
export function joined(parts: Text[]): Promise<string> {
  return handled(Promise.all(parts).then((texts) => texts.join('')));
}

/** Writes values of a scalar or an enum, those alone that the type can have (specification, section 6.4.3). */
export function leafText(type: GraphQLLeafType): (value: unknown) => string {
  if (isEnumType(type)) {
    const texts = new Map(type.getValues().map(({ name, value }) => [value, JSON.stringify(name)]));
    return (value) => texts.get(value) ?? refuse(type, value);
  }
  return scalars[type.name] ?? ((value) => JSON.stringify(type.coerceOutputValue(value)) ?? refuse(type, value));
}

const text = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : refuse('a string', value));

/** The types of the specification, for the values that ours have; the executor would also take others. */
const scalars: Record<string, (value: unknown) => string> = {
  String: text,
  ID: text,
  Int: (value) => (isInt(value) ? String(value) : refuse('a number', value)),
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : refuse('a boolean', value)),
};

function isInt(value: unknown): value is number {
  // 32 bits, as GraphQL has them
  return typeof value === 'number' && value === (value | 0);
}

function refuse(expected: unknown, value: unknown): never {
  throw unexpected(expected, value);
}
