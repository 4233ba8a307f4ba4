/** How a value is read, compared and bound. */
export type ValueType = 'uuid' | 'text' | 'enum' | 'integer' | 'boolean' | 'timestamp' | 'json';

export const operators = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte'] as const;
export type Operator = (typeof operators)[number];

const equality: readonly Operator[] = ['eq', 'ne', 'in'];
const range: readonly Operator[] = ['eq', 'gt', 'gte', 'lt', 'lte'];

/** The GraphQL types whose global ids a filter takes in place of the bare id. */
export type IdType =
  | 'Event'
  | 'EventSubscription'
  | 'User'
  | 'Organization'
  | 'Membership'
  | 'Invitation'
  | 'Session'
  | 'AuditEntry';

/** One field of a noun: a column, what may be asked of it, and how it is shown. */
export interface ListField {
  type: ValueType;
  nullable: boolean;
  /** The operators of a filter; absent where the field cannot be filtered. */
  operators?: readonly Operator[];
  /** A literal, case-insensitive substring is the field's only filter (contract, filter rule 3). */
  contains?: boolean;
  /** The members of an enum, as REST writes them. */
  members?: readonly string[];
  /** Members that have names in GraphQL though REST writes integers. */
  names?: Readonly<Record<string, number>>;
  /** What the id names. */
  idType?: IdType;
  /** For the schemas of both faces. */
  description: string;
}

/**
 * A noun as list endpoints know it: the one definition from which the REST `where`, the GraphQL `…Where` input, the SQL
 * condition, the OpenAPI document and the canonical form inside a cursor come.
 */
export interface ListResource<Name extends string = string> {
  name: string;
  table: string;
  /** By REST name, which is the column's name too; the order is that of a response. */
  fields: Readonly<Record<Name, ListField>>;
  /** The timestamp that REST sorts by; the id breaks ties (decisions §2). */
  order: Name;
  /** Whether the derived views of the contract (`phase`) can be asked for. */
  phase?: boolean;
}

interface FieldOptions {
  nullable?: boolean;
  filter?: boolean;
}

export const field = {
  id: (idType: IdType, description: string, { nullable = false, filter = true }: FieldOptions = {}): ListField => ({
    type: 'uuid',
    nullable,
    idType,
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
  choice: (members: readonly string[], description: string): ListField => ({
    type: 'enum',
    nullable: false,
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
  /** Where it may be null, `ne` is there for null alone: `{"$ne": null}` asks for what has a value. */
  timestamp: (description: string, { nullable = false }: FieldOptions = {}): ListField => ({
    type: 'timestamp',
    nullable,
    description,
    operators: nullable ? [...range, 'ne'] : range,
  }),
  flag: (description: string): ListField => ({ type: 'boolean', nullable: false, description }),
  json: (description: string, { nullable = false }: FieldOptions = {}): ListField => ({
    type: 'json',
    nullable,
    description,
  }),
};
