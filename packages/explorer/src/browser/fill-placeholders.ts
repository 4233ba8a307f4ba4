import type { Placeholder } from '../content.ts';

/**
 * The variables with the placeholders replaced, and the values filled in; or what to do if a value cannot be found. They are looked
 * up each time the example runs, so that it can run again.
 */
export async function fillPlaceholders(
  placeholders: Readonly<Record<string, Placeholder>>,
  variables: Record<string, unknown>,
  ask: (query: string) => Promise<unknown>,
): Promise<{ variables: Record<string, unknown>; filled: Record<string, string> } | { missing: string }> {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    const placeholder = typeof value === 'string' ? placeholders[value] : undefined;
    if (!placeholder) continue;
    const found = await placeholder.find(ask);
    if (found === undefined) return { missing: placeholder.otherwise };
    filled[name] = found;
  }
  return { variables: { ...variables, ...filled }, filled };
}
