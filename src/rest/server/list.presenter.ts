import { type Page, pageTokens } from '../../engine/list/page.ts';

/** The envelope of all list endpoints (contract). */
export interface ListEnvelope {
  items: object[];
  length: number;
  has_more: boolean;
  next: string | null;
  prev: string | null;
}

export function presentPage<Row>(page: Page<Row>, items: object[]): ListEnvelope {
  return { items, length: items.length, has_more: page.hasNext, ...pageTokens(page) };
}

/** Exactly the named keys of a row (decisions §2, `fields`). */
export function pick(row: object, fields: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of fields) picked[name] = (row as Record<string, unknown>)[name];
  return picked;
}
