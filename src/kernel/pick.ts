/** Exactly the named properties of an object. */
export function pick<Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Pick<Value, Name>;
export function pick(value: object, names: readonly string[]): Record<string, unknown>;
export function pick(value: object, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) picked[name] = (value as Record<string, unknown>)[name];
  return picked;
}

/** Like {@link pick} for objects with the same properties, such as the rows of a statement: those without further ones stay as they are. */
export function pickEach(values: readonly object[], names: readonly string[]): object[] {
  const keys = Object.keys(values[0] ?? {});
  const isExact = keys.length === names.length && keys.every((key, index) => key === names[index]);
  return isExact ? [...values] : values.map((value) => pick(value, names));
}
