import { type ZodPreprocess, type ZodType, z } from 'zod';

interface ListLimits {
  min?: { items: number; message: string };
  max: { items: number; message: string };
  /** The message for what is no list. */
  expected?: Parameters<typeof z.array>[1];
}

/**
 * A list of limited length. One that is too long is refused for that alone, before anything looks at its items: there may
 * be half a million of them.
 */
export function list<Item extends ZodType>(
  item: Item,
  { min, max, expected }: ListLimits,
  check: (items: z.ZodArray<Item>) => z.ZodArray<Item> = (items) => items,
): ZodPreprocess<z.ZodArray<Item>> {
  const items = z.array(item, expected);
  const bounded = (min ? items.min(min.items, min.message) : items).max(max.items, max.message);
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max.items) return value;
    context.addIssue({ code: 'custom', message: max.message });
    return z.NEVER;
  }, check(bounded));
}
