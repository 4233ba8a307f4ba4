import type { paths } from './rest-types.ts';

// What an operation takes and answers, from the types of `openapi.json`.

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have an operation with this method. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends { [Name in M]: { responses: unknown } } ? Path : never;
}[keyof paths];

export type Operation<Path extends keyof paths, M extends Method> = paths[Path][M];

/** The parameters of an operation in its address, as `openapi.json` lists them. */
export type QueryOf<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;

/** The names that an operation takes for `fields`. */
export type FieldOf<Path extends keyof paths, M extends Method = 'get'> =
  QueryOf<Path, M> extends { fields?: readonly (infer Field)[] } ? Field : never;

/** The names that an operation takes for `include`. */
export type RelationOf<Path extends keyof paths, M extends Method = 'get'> =
  QueryOf<Path, M> extends { include?: readonly (infer Relation)[] } ? Relation : never;

export type MayBeEmpty<Given> = Partial<Given> extends Given ? true : false;

type Readonly<Value> = Value extends (infer Each)[] ? readonly Each[] : Value;

/** The parameters of an operation, without the names that a call chooses by itself. */
type Params<Op> = Op extends { parameters: infer Given }
  ? {
      [Part in keyof Given as Part extends 'cookie'
        ? never
        : [NonNullable<Given[Part]>] extends [never]
          ? never
          : Part]: {
        [Name in keyof NonNullable<Given[Part]> as Name extends 'fields' | 'include' ? never : Name]: Readonly<
          NonNullable<Given[Part]>[Name]
        >;
      };
    }
  : unknown;

/** A body is needed if it has required properties, whatever the document says of the body. */
type Body<Op> = Op extends { requestBody?: { content: { 'application/json': infer Sent } } }
  ? MayBeEmpty<Sent> extends true
    ? { body?: Sent }
    : { body: Sent }
  : unknown;

interface Extra {
  /** More headers, such as `if-match`. */
  headers?: HeadersInit;
  signal?: AbortSignal;
}

type Options<Op> = (MayBeEmpty<Params<Op>> extends true ? { params?: Params<Op> } : { params: Params<Op> }) &
  Body<Op> &
  Extra;

/** The options of a call; they may be left out if the operation needs none. */
export type CallOptions<Path extends keyof paths, M extends Method> =
  MayBeEmpty<Options<Operation<Path, M>>> extends true
    ? [options?: Options<Operation<Path, M>>]
    : [options: Options<Operation<Path, M>>];

/** The paths that have to be read with parameters. */
export type ReadPath<Needs extends boolean> = {
  [Path in PathWith<'get'>]: MayBeEmpty<Params<Operation<Path, 'get'>>> extends Needs ? never : Path;
}[PathWith<'get'>];

/** The options of a `GET`, from which the chosen names are inferred: so they are no conditional type. */
export type ReadOptions<Path extends keyof paths, Field, Relation> = Extra & {
  params?: Params<Operation<Path, 'get'>> & {
    query?: { fields?: readonly Field[]; include?: readonly Relation[] };
  };
};

type Success<Op> = Op extends { responses: { 200: { content: infer Content } } }
  ? Content[keyof Content]
  : Op extends { responses: { 201: { content: infer Content } } }
    ? Content[keyof Content]
    : unknown;

type RequiredKeys<Item> = {
  [Key in keyof Item]-?: Partial<Pick<Item, Key>> extends Pick<Item, Key> ? never : Key;
}[keyof Item];

/** An item with the chosen fields and relations; without `fields`, with all that are not computed. */
export type Selected<Item, Field, Relation> = {
  [Key in Extract<keyof Item, ([Field] extends [never] ? RequiredKeys<Item> : Field) | Relation>]-?: Exclude<
    Item[Key],
    undefined
  >;
};

/** What an operation answers if it succeeds. */
export type Answer<Path extends keyof paths, M extends Method, Field = never, Relation = never> = [
  FieldOf<Path, M> | RelationOf<Path, M>,
] extends [never]
  ? Success<Operation<Path, M>>
  : Success<Operation<Path, M>> extends infer Found
    ? Found extends { items: (infer Item)[] }
      ? Omit<Found, 'items'> & { items: Selected<Item, Field, Relation>[] }
      : Found extends object
        ? Selected<Found, Field, Relation>
        : Found
    : never;
