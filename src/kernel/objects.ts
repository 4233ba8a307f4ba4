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
