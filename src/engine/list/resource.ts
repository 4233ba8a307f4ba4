import type { Expression, RawBuilder } from 'kysely';
import type { Deprecation } from '../../kernel/deprecation.ts';
import type { Membership, OrganizationRole, Viewer } from '../../kernel/request.ts';

/** Who reads a list: the text of its statement may depend on the role and on the permissions of a key. The other values are slots (`shaped`). */
export interface ListScope {
  viewer: Pick<Viewer, 'userId' | 'sessionId' | 'key'>;
  membership: Pick<Membership, 'organizationId' | 'role'> | null;
  /** The organization or user whose list it is. */
  owner: string;
  /** The time of the request. */
  now: string;
}

export interface MemberScope extends ListScope {
  membership: Pick<Membership, 'organizationId' | 'role'>;
}

export type Scalar = string | number | boolean | null;

export type ValueType = 'uuid' | 'text' | 'enum' | 'enums' | 'integer' | 'boolean' | 'timestamp' | 'json';

export const operators = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte'] as const;
export type Operator = (typeof operators)[number];

const equality: readonly Operator[] = ['eq', 'ne', 'in'];
const range: readonly Operator[] = ['eq', 'gt', 'gte', 'lt', 'lte'];

/** One field of a noun: its column, how it can be filtered, and how it is shown. */
export interface ListField<Noun extends string = string> {
  type: ValueType;
  nullable: boolean;
  /** The operators of a filter; absent if the field cannot be filtered. */
  operators?: readonly Operator[];
  /** Whether the field's only filter is a literal, case-insensitive substring (reference/lists.md#operators). */
  contains?: boolean;
  /** The members of an enum or of a list of them, as REST writes them. */
  members?: readonly string[];
  /** The integers of REST by their names in GraphQL. */
  names?: Readonly<Record<string, number>>;
  /** The noun that the id refers to; absent if it can be any. */
  noun?: Noun;
  description: string;
  deprecated?: Deprecation;
}

/** A value that rows can be filtered by, although it is not one of their fields. */
export interface ListFilter extends ListField {
  /** The column to compare, if it is not named like the filter. */
  column?: string;
  /** Selects the values of the column in rows with one of these values, or with any if null; replaces the comparison. */
  select?(at: MemberScope, values: readonly Scalar[] | null): Expression<unknown>;
  /** The rows of `t` whose value in several columns has a substring; replaces the comparison. */
  match?(has: (column: string) => RawBuilder<boolean>): RawBuilder<boolean>;
  /** Whether the value depends on the viewer; cursors are then bound to them (reference/lists.md#tokens). */
  ofViewer?: true;
  /** The minimum role to filter by it; any member by default. */
  role?: OrganizationRole;
  /** The form in which texts are stored and compared. */
  normalize?(text: string): string;
}

/** A value that a row has at a moment, and that is not a column. */
export interface DerivedValue {
  members: readonly string[];
  description: string;
  /** The rows that have the value, as a condition over the alias `t`. */
  matches(member: string, now: string): RawBuilder<boolean>;
}

/** A noun for lists: the source of both filter schemas, the SQL condition, the OpenAPI document and the form inside cursors. */
export interface ListResource<Name extends string = string> {
  name: string;
  table: string;
  /** A select that replaces the table, if fields come from other tables. */
  source?(at: ListScope): Expression<unknown>;
  /** By REST name, which is also the column's name; in the order of a response. */
  fields: Readonly<Record<Name, ListField>>;
  /** Further values to filter by, by REST name. */
  filters?: Readonly<Record<string, ListFilter>>;
  /** The timestamp that REST sorts by; the id breaks ties (reference/lists.md#order). */
  order: Name;
  /** Values that follow from a row and the time of the request, by name; only typed filters ask for them. */
  derived?: Readonly<Record<string, DerivedValue>>;
}

/** Which rows a list has; `t` is the alias of the rows. Its functions are called once for each shape of a statement. */
export interface ListDefinition {
  resource: ListResource;
  /** A select that replaces the resource's table, for computed columns. */
  source?(at: ListScope): Expression<unknown>;
  /** The rows that the viewer may see; all of them if absent. */
  visible?(at: ListScope): RawBuilder<boolean>;
  /** Additional rows that the viewer may see; not together with `parent`. */
  strands?(at: ListScope): Strands;
  /** `write` forces the primary; otherwise a replica may answer. */
  from?: 'write';
}

/** For a page or a count of each parent: their table, and the column of the rows that references it. */
export interface ChildDefinition extends ListDefinition {
  parent: { table: string; column: string };
  /** The parents that the viewer may see, over the alias `p`. */
  visibleParents(at: ListScope): RawBuilder<boolean>;
}

/** Rows that an index has in the list's order only within each group ("strand"), such as the entries of each of many people. */
export interface Strands {
  /** A table with one row per strand; its alias is `s`. */
  table: RawBuilder<unknown>;
  /** Whether a row of `t` belongs to the strand `s`, as a condition that an index serves. */
  link: RawBuilder<boolean>;
}

export function filterOf({ filters, fields }: ListResource, name: string): ListFilter | undefined {
  return filters?.[name] ?? fields[name];
}

/** How one API writes filters; the meaning is the same in both. */
export interface Dialect {
  fieldName(field: string): string;
  operatorName(operator: Operator | 'and' | 'or' | 'not'): string;
  /** @param noun of the id; absent if the id can name any noun */
  parseId(value: unknown, noun: string | undefined): string | null;
  /** Whether a bare value means equality; otherwise every field takes an object of operators. */
  bareValues: boolean;
  /** Whether a field that is null counts as absent: some clients send null for fields without a value. */
  nullIsAbsent: boolean;
}

/** The fields that a filter may use, by their names in the dialect. */
export function filterNames(resource: ListResource, dialect: Dialect): Map<string, string> {
  return new Map(
    Object.entries({ ...resource.fields, ...resource.filters })
      .filter(([, definition]) => definition.operators || definition.contains)
      .map(([name]) => [dialect.fieldName(name), name]),
  );
}

export const withoutFilters = ({ operators: _, ...definition }: ListField): ListField => definition;

interface FieldOptions {
  nullable?: boolean;
  filter?: boolean;
}

/** Makes the fields of a domain, whose nouns have ids of their own. */
export function fieldsOf<Noun extends string>() {
  type Field = ListField<Noun>;
  const field = (
    type: ValueType,
    description: string,
    { nullable = false, filter = false }: FieldOptions = {},
    filters: readonly Operator[] = equality,
  ): Field => ({ type, nullable, description, ...(filter && { operators: filters }) });
  return {
    id: (noun: Noun, description: string, options: FieldOptions = {}): Field => ({
      ...field('uuid', description, { filter: true, ...options }),
      noun,
    }),
    /** An id that names whatever its row is about. */
    anyId: (description: string, options: FieldOptions = {}) =>
      field('uuid', description, { filter: true, ...options }),
    text: (description: string, options?: FieldOptions) => field('text', description, options),
    search: (description: string): Field => ({ ...field('text', description), contains: true }),
    choice: (members: readonly string[], description: string, options: FieldOptions = {}): Field => ({
      ...field('enum', description, { filter: true, ...options }),
      members,
    }),
    choices: (members: readonly string[], description: string): Field => ({ ...field('enums', description), members }),
    status: (names: Readonly<Record<string, number>>, description: string): Field => ({
      ...field('integer', description, { filter: true }),
      names,
    }),
    number: (description: string, options?: FieldOptions) => field('integer', description, options, operators),
    /** If nullable, `ne` accepts only null: `{"$ne": null}` matches rows that have a value. */
    timestamp: (description: string, options: FieldOptions = {}) =>
      field('timestamp', description, { filter: true, ...options }, options.nullable ? [...range, 'ne'] : range),
    flag: (description: string, options?: FieldOptions) => field('boolean', description, options, ['eq', 'ne']),
    json: (description: string, options?: FieldOptions) => field('json', description, options),
  };
}
