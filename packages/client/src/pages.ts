import type { Answer, Rest } from './rest.ts';
import type { paths } from './rest-types.ts';

/** The lists of REST that need no parameter in their path. */
export type ListPath = {
  [Path in keyof paths]: paths[Path] extends { get: infer Operation }
    ? Path extends `${string}{${string}`
      ? never
      : Answer<Operation> extends { items: unknown[]; has_more: boolean; next: string | null }
        ? Path
        : never
    : never;
}[keyof paths];

export type ItemOf<Path extends ListPath> = Answer<paths[Path]['get']> extends { items: (infer Item)[] } ? Item : never;

/** The item of a list with some of its fields. */
export type Selected<Item, Field extends keyof Item> = [keyof Item] extends [Field]
  ? Item
  : { [Name in Field]-?: Item[Name] };

/** A page with items of this shape. */
export interface Page<Item> {
  items: Item[];
  length: number;
  has_more: boolean;
  next: string | null;
  prev: string | null;
}

export interface ListQuery<Field = string> {
  /** A filter, such as `{status: 1, name: 'club'}`. */
  where?: Record<string, unknown>;
  /** Items a page, at most 50. */
  limit?: number;
  /** A cursor (`next` of a page) to go on from. */
  token?: string;
  sort?: number | string;
  /** The fields to read, all without it. */
  fields?: readonly Field[];
  include?: readonly string[];
  signal?: AbortSignal;
}

/** A list as a stream of its items, or of its pages, whose `next` goes on later. */
export interface Walk<Item> extends AsyncIterable<Item> {
  pages(): AsyncGenerator<Page<Item>, void, void>;
}

export function walk<Item>(rest: Rest, path: ListPath, query: ListQuery): Walk<Item> {
  const { where, fields, include, signal, token: first, ...others } = query;
  const fixed = {
    ...others,
    ...(where ? { where: JSON.stringify(where) } : {}),
    ...(fields ? { fields: fields.join(' ') } : {}),
    ...(include ? { include: include.join(' ') } : {}),
  };
  async function* pages(): AsyncGenerator<Page<Item>, void, void> {
    let token = first;
    do {
      const params = { query: { ...fixed, ...(token ? { token } : {}) } };
      const page = (await rest.get(path as never, { params, signal } as never)) as Page<Item>;
      yield page;
      token = page.has_more ? (page.next ?? undefined) : undefined;
    } while (token);
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}
