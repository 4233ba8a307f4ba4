/** How a value is read, compared and bound. */
export type ValueType = 'uuid' | 'text' | 'enum' | 'integer' | 'boolean' | 'timestamp' | 'json';

export const operators = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte'] as const;
export type Operator = (typeof operators)[number];

const equality: readonly Operator[] = ['eq', 'ne', 'in'];
const range: readonly Operator[] = ['eq', 'gt', 'gte', 'lt', 'lte'];

/** The nouns that have ids. */
export type Noun =
  | 'event'
  | 'subscription'
  | 'user'
  | 'organization'
  | 'membership'
  | 'invitation'
  | 'session'
  | 'audit_entry'
  | 'subscription_change'
  | 'public_event';

/** One field of a noun: its column, how it can be filtered, and how it is shown. */
export interface ListField {
  type: ValueType;
  nullable: boolean;
  /** The operators of a filter; absent if the field cannot be filtered. */
  operators?: readonly Operator[];
  /** Whether the field's only filter is a literal, case-insensitive substring (interface/lists.md#operators). */
  contains?: boolean;
  /** The members of an enum, as REST writes them. */
  members?: readonly string[];
  /** The integers of REST by their names in GraphQL. */
  names?: Readonly<Record<string, number>>;
  /** The noun that the id refers to. */
  noun?: Noun;
  /** For the schemas of both faces. */
  description: string;
}

/**
 * The definition of a noun for lists: the source of the REST `where`, the GraphQL `…Where` input, the SQL condition, the
 * OpenAPI document and the canonical form inside a cursor.
 */
export interface ListResource<Name extends string = string> {
  name: string;
  table: string;
  /** By REST name, which is also the column's name; in the order of a response. */
  fields: Readonly<Record<Name, ListField>>;
  /** The timestamp that REST sorts by; the id breaks ties (interface/lists.md#order). */
  order: Name;
  /** Whether a filter by `phase` is possible (interface/resources.md#phase). */
  phase?: boolean;
}

/** How one face writes filters; the meaning is the same in both. */
export interface Dialect {
  /** The face's name of a field of the resource. */
  fieldName(field: string): string;
  operatorName(operator: Operator | 'and' | 'or' | 'not'): string;
  parseId(value: unknown, type: Noun): string | null;
  /** Whether a bare value means equality; otherwise every field takes an object of operators. */
  bareValues: boolean;
  /** Whether a field that is null counts as absent: some clients send null for what they leave out. */
  nullIsAbsent: boolean;
}

interface FieldOptions {
  nullable?: boolean;
  filter?: boolean;
}

export const field = {
  id: (noun: Noun, description: string, { nullable = false, filter = true }: FieldOptions = {}): ListField => ({
    type: 'uuid',
    nullable,
    noun,
    description,
    ...(filter ? { operators: equality } : {}),
  }),
  text: (description: string, { nullable = false, filter = false }: FieldOptions = {}): ListField => ({
    type: 'text',
    nullable,
    description,
    ...(filter ? { operators: equality } : {}),
  }),
  search: (description: string): ListField => ({ type: 'text', nullable: false, contains: true, description }),
  choice: (members: readonly string[], description: string, { nullable = false }: FieldOptions = {}): ListField => ({
    type: 'enum',
    nullable,
    members,
    operators: equality,
    description,
  }),
  status: (names: Readonly<Record<string, number>>, description: string): ListField => ({
    type: 'integer',
    nullable: false,
    names,
    operators: equality,
    description,
  }),
  number: (description: string, { nullable = false, filter = false }: FieldOptions = {}): ListField => ({
    type: 'integer',
    nullable,
    description,
    ...(filter ? { operators } : {}),
  }),
  /** If nullable, `ne` accepts only null: `{"$ne": null}` matches rows that have a value. */
  timestamp: (description: string, { nullable = false, filter = true }: FieldOptions = {}): ListField => ({
    type: 'timestamp',
    nullable,
    description,
    ...(filter ? { operators: nullable ? [...range, 'ne'] : range } : {}),
  }),
  flag: (description: string, { filter = false }: FieldOptions = {}): ListField => ({
    type: 'boolean',
    nullable: false,
    description,
    ...(filter ? { operators: ['eq', 'ne'] } : {}),
  }),
  json: (description: string, { nullable = false }: FieldOptions = {}): ListField => ({
    type: 'json',
    nullable,
    description,
  }),
};
