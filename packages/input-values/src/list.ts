import { type ZodPreprocess, type ZodType, z } from 'zod';

interface ListLimits {
  min?: { items: number; message: string };
  max: { items: number; message: string };
  /** The message if the value is not a list. */
  expected?: Parameters<typeof z.array>[1];
}

interface Distinct<Item> {
  /** Items with the same key repeat each other. */
  keyOf(item: Item): unknown;
  /** Of the property with the key, if items are objects. */
  path?: string;
  message: string;
}

/** Refuses each item that repeats an earlier one, for the third argument of {@link list}. */
export function distinct<Item extends ZodType>({ keyOf, path, message }: Distinct<z.output<Item>>) {
  return (items: z.ZodArray<Item>) =>
    items.superRefine((values, context) => {
      const seen = new Set<unknown>();
      for (const [index, value] of values.entries()) {
        const key = keyOf(value);
        if (seen.has(key)) context.addIssue({ code: 'custom', path: [index, ...(path ? [path] : [])], message });
        seen.add(key);
      }
    });
}

/** The length is checked before the items, so that half a million items are refused cheaply. */
export function list<Item extends ZodType>(
  item: Item,
  { min, max, expected }: ListLimits,
  check: (items: z.ZodArray<Item>) => z.ZodArray<Item> = (items) => items,
): ZodPreprocess<z.ZodArray<Item>> {
  const items = z.array(item, expected);
  const bounded = (min ? items.min(min.items, ofLists(min.message)) : items).max(max.items, ofLists(max.message));
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max.items) return value;
    context.addIssue({ code: 'custom', message: max.message });
    return z.NEVER;
  }, check(bounded));
}

/** For lists only: a text has a length as well, and is refused for its type. */
function ofLists(message: string) {
  return { message, when: ({ value }: { value: unknown }) => Array.isArray(value) };
}
