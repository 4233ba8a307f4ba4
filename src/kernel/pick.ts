/** The given properties of an object. */
export function pick<Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Pick<Value, Name> {
  const picked = {} as Pick<Value, Name>;
  for (const name of names) picked[name] = value[name];
  return picked;
}
