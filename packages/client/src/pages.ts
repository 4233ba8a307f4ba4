import type { Rest } from './rest.ts';
import type { FieldOf, Operation, QueryOf, RelationOf, Selected } from './rest-calls.ts';
import type { paths } from './rest-types.ts';

type Envelope<Path extends keyof paths> =
  Operation<Path, 'get'> extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never;

/** The lists of REST, those below an object included. */
export type ListPath = {
  [Path in keyof paths]: Envelope<Path> extends never
    ? never
    : Envelope<Path> extends { items: unknown[]; prev: string | null }
      ? 'where' extends keyof QueryOf<Path, 'get'>
        ? Path
        : never
      : never;
}[keyof paths];

/** An item of a list, with its computed fields and relations as optional ones. */
export type ItemOf<Path extends ListPath> = Envelope<Path> extends { items: (infer Item)[] } ? Item : never;

/** The filter of a list. */
export type WhereOf<Path extends ListPath> = NonNullable<QueryOf<Path, 'get'> extends { where?: infer W } ? W : never>;

/** A page with items of this shape. */
export interface Page<Item> {
  items: Item[];
  length: number;
  has_more: boolean;
  next: string | null;
  prev: string | null;
}

/** The parameters in the path of a list below an object, such as `{ event }`. */
type Parent<Path extends ListPath> =
  Operation<Path, 'get'> extends { parameters: { path: infer Given } } ? { path: Given } : unknown;

export interface ListQuery<Path extends ListPath, Field = FieldOf<Path>, Relation = RelationOf<Path>> {
  /** A filter, such as `{ status: 1, name: 'club', date_start: { $gte: '2031-01-01T00:00:00Z' } }`. */
  where?: WhereOf<Path>;
  /** Items a page, 1 to 50; 50 if absent. */
  limit?: number;
  /** A cursor (`next` or `prev` of a page) to continue from. */
  token?: string;
  /** A timestamp at which the first page begins, instead of a token. */
  from?: string;
  /** `1` ascending (the default), `-1` descending. */
  sort?: 1 | -1;
  /** The fields to read; all except computed ones if absent. */
  fields?: readonly Field[];
  /** Relations to read as well. */
  include?: readonly Relation[];
  signal?: AbortSignal;
}

interface CountQuery<Path extends ListPath> {
  where?: WhereOf<Path>;
  /** Stops counting there. */
  max?: number;
  signal?: AbortSignal;
}

/** A list as a stream of its items, or of its pages, whose `next` continues later. */
export interface Walk<Item> extends AsyncIterable<Item> {
  pages(): AsyncGenerator<Page<Item>, void, void>;
}

/** The lists that belong to an object, and those that do not. */
type Below = { [Path in ListPath]: Parent<Path> extends { path: object } ? Path : never }[ListPath];
type Top = Exclude<ListPath, Below>;

export interface List {
  <Path extends Below, const Field extends FieldOf<Path> = never, const Relation extends RelationOf<Path> = never>(
    path: Path,
    query: ListQuery<Path, Field, Relation> & Parent<Path>,
  ): Walk<Selected<ItemOf<Path>, Field, Relation>>;
  <Path extends Top, const Field extends FieldOf<Path> = never, const Relation extends RelationOf<Path> = never>(
    path: Path,
    query?: ListQuery<Path, Field, Relation>,
  ): Walk<Selected<ItemOf<Path>, Field, Relation>>;
}

export interface Count {
  <Path extends Below>(path: Path, query: CountQuery<Path> & Parent<Path>): Promise<Counted>;
  <Path extends Top>(path: Path, query?: CountQuery<Path>): Promise<Counted>;
}

export interface Counted {
  value: number;
  /** False if there are more than `max`. */
  exact: boolean;
}

interface AnyQuery {
  path?: Record<string, string>;
  token?: string;
  signal?: AbortSignal;
}

export function createList({ get }: Rest): List {
  const list = (path: string, { path: parent, signal, token: first, ...query }: AnyQuery = {}): Walk<unknown> => {
    async function* pages() {
      for (let token = first; ; ) {
        const params = { path: parent, query: { ...query, token } };
        const page = (await get(path as never, { params, signal } as never)) as Page<unknown>;
        yield page;
        if (!page.has_more || !page.next) return;
        token = page.next;
      }
    }
    return {
      pages,
      async *[Symbol.asyncIterator]() {
        for await (const { items } of pages()) yield* items;
      },
    };
  };
  return list as List;
}

export function createCount({ get }: Rest): Count {
  const count = async (path: string, { path: parent, signal, ...query }: AnyQuery = {}) => {
    const options = { params: { path: parent, query }, signal };
    const { data, response } = await get(`${path}/count` as never, options as never).withResponse();
    return { value: data, exact: response.headers.get('x-count-exact') !== 'false' };
  };
  return count as Count;
}
