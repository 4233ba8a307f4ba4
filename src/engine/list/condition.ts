import { type RawBuilder, sql } from 'kysely';
import { empty } from '#postgres-access';
import {
  filterOf,
  type ListFilter,
  type ListResource,
  type ListScope,
  type MemberScope,
  type Operator,
  type Scalar,
  type ValueType,
} from './resource.ts';

export type LeafOperator = Exclude<Operator, 'ne'> | 'contains' | 'derived';

/** One comparison, or its exact complement, null included. */
export interface Leaf {
  kind: 'leaf';
  field: string;
  operator: LeafOperator;
  value: Scalar | Scalar[];
  nullable: boolean;
  negated: boolean;
  /** Whether its meaning depends on the viewer. */
  ofViewer?: true;
}

/** A filter with negations pushed down to the leaves, so that no condition evaluates to SQL's `unknown`. */
export type Condition = Leaf | { kind: 'and' | 'or'; items: Condition[] };

export const everything: Condition = { kind: 'and', items: [] };

/** @param condition canonical */
export function isEverything(condition: Condition): boolean {
  return condition.kind === 'and' && condition.items.length === 0;
}

export function leavesOf(condition: Condition): Leaf[] {
  return condition.kind === 'leaf' ? [condition] : condition.items.flatMap(leavesOf);
}

const complement: Partial<Record<LeafOperator, LeafOperator>> = { gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' };

/** Every row matches either a condition or its negation. */
export function negate(condition: Condition): Condition {
  if (condition.kind !== 'leaf') {
    return { kind: condition.kind === 'and' ? 'or' : 'and', items: condition.items.map(negate) };
  }
  const opposite = condition.nullable ? undefined : complement[condition.operator];
  return opposite ? { ...condition, operator: opposite } : { ...condition, negated: !condition.negated };
}

/** The form that cursors are bound to: flat, sorted and without duplicates, so that the order of keys does not matter. */
export function canonicalize(condition: Condition): Condition {
  if (condition.kind === 'leaf') {
    if (!Array.isArray(condition.value)) return condition;
    const value = [...new Set(condition.value)].sort(compareScalars);
    return value.length === 1 ? { ...condition, operator: 'eq', value: value[0] ?? null } : { ...condition, value };
  }
  const items = new Map<string, Condition>();
  for (const item of condition.items.map(canonicalize)) {
    for (const flat of item.kind === condition.kind ? item.items : [item]) items.set(canonicalText(flat), flat);
  }
  const sorted = [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  return sorted.length === 1 && sorted[0] ? sorted[0] : { kind: condition.kind, items: sorted };
}

/** Equal texts mean equal filters. @param condition canonical */
export function canonicalText(condition: Condition): string {
  if (condition.kind !== 'leaf') return `${condition.kind}(${condition.items.map(canonicalText).join(',')})`;
  const { field, negated, operator, value } = condition;
  // a derived value is its own operator
  const name = operator === 'derived' ? field : operator;
  return JSON.stringify([field, negated, name, operator === 'contains' ? lowerCase(String(value)) : value]);
}

/** Only for the canonical text: the database lowercases the compared values itself, and its locale may differ. */
function lowerCase(text: string): string {
  const lower = (letter: string) => ([...letter.toLowerCase()].length === 1 ? letter.toLowerCase() : letter);
  return [...text].map(lower).join('');
}

function compareScalars(a: Scalar, b: Scalar): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1;
}

/** The structure of a filter without its values, on which its text depends. @param condition canonical */
export function filterShape(condition: Condition): string {
  if (condition.kind !== 'leaf') return `${condition.kind}(${condition.items.map(filterShape).join()})`;
  const { field, negated, operator, value } = condition;
  const short = operator === 'contains' && isShort(value) ? 'short' : '';
  const form = operator === 'derived' ? value : value === null ? 'null' : short;
  return `${negated ? 'not ' : ''}${field} ${operator} ${form}`;
}

/** The values of a filter by the names of their slots. */
export function filterValues(resource: ListResource, condition: Condition): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [index, { field, operator, value }] of leavesOf(condition).entries()) {
    const isSelected = operator !== 'derived' && definitionOf(resource, field).select && !Array.isArray(value);
    values[`where${index}`] = operator === 'contains' ? patternOf(value) : isSelected ? [value] : value;
    if (operator === 'contains') values[`text${index}`] = value;
  }
  return values;
}

/** Where a statement that is built once for a shape gets its values. */
export interface ListSlots {
  scope: ListScope;
  slot(name: string): unknown;
}

const cast: Record<ValueType, string> = {
  uuid: 'uuid',
  text: 'text',
  enum: 'text',
  enums: 'text[]',
  integer: 'int',
  boolean: 'boolean',
  timestamp: 'timestamptz',
  json: 'jsonb',
};

const comparison = { gt: ['>', '<='], gte: ['>=', '<'], lt: ['<', '>='], lte: ['<=', '>'] } as const;

/** A condition over the alias `t`. Names come from the resource's definition, values are slots ({@link filterValues}). */
export function conditionSql(resource: ListResource, condition: Condition, slots: ListSlots): RawBuilder<boolean> {
  return new FilterText(resource, leavesOf(condition), slots).of(condition);
}

class FilterText {
  readonly #resource: ListResource;
  readonly #leaves: readonly Leaf[];
  readonly #slots: ListSlots;

  constructor(resource: ListResource, leaves: readonly Leaf[], slots: ListSlots) {
    this.#resource = resource;
    this.#leaves = leaves;
    this.#slots = slots;
  }

  of(condition: Condition): RawBuilder<boolean> {
    if (condition.kind === 'leaf') return this.#leaf(condition);
    if (condition.items.length === 0) return sql.lit(condition.kind === 'and');
    const { kind } = condition;
    const absences = condition.items.filter((item) => this.#isAbsence(item));
    const others = condition.items.filter((item) => absences.length < 2 || !this.#isAbsence(item));
    const items = others.map((item) => this.of(item));
    if (absences.length > 1) items.push(...this.#absences(absences, kind));
    return sql`(${sql.join(items, sql.raw(` ${kind} `))})`;
  }

  #slot(leaf: Leaf, name: 'where' | 'text' = 'where'): unknown {
    return this.#slots.slot(`${name}${this.#leaves.indexOf(leaf)}`);
  }

  #column(field: string): RawBuilder<unknown> {
    return sql.raw(`t.${definitionOf(this.#resource, field).column ?? field}`);
  }

  #isAbsence(condition: Condition): condition is Leaf {
    if (condition.kind !== 'leaf' || condition.operator !== 'contains') return false;
    return condition.negated && !definitionOf(this.#resource, condition.field).match;
  }

  /** No index serves negated `contains`. Most of the cost is lowercasing the text, so all patterns of a column share it. */
  #absences(absences: readonly Leaf[], kind: 'and' | 'or'): RawBuilder<boolean>[] {
    const quantifier = sql.raw(kind === 'and' ? 'all' : 'any');
    return [...Map.groupBy(absences, ({ field }) => field)].map(([field, leaves]) => {
      const patterns = leaves.map((leaf) => sql`lower(${this.#slot(leaf)})`);
      return sql<boolean>`lower(${this.#column(field)}) not like ${quantifier}(array[${sql.join(patterns)}])`;
    });
  }

  #leaf(leaf: Leaf): RawBuilder<boolean> {
    if (leaf.operator === 'derived') return this.#derived(leaf);
    const definition = definitionOf(this.#resource, leaf.field);
    const column = this.#column(leaf.field);
    const value = this.#slot(leaf);
    if (definition.select) return this.#selected(column, leaf, definition.select);
    const type = sql.raw(cast[definition.type]);
    const orNull = (condition: RawBuilder<boolean>): RawBuilder<boolean> =>
      leaf.nullable ? sql`(${condition} or ${column} is null)` : condition;
    switch (leaf.operator) {
      case 'eq':
        if (leaf.value === null) return leaf.negated ? sql`${column} is not null` : sql`${column} is null`;
        if (!leaf.negated) return sql`${column} = ${value}::${type}`;
        return orNull(sql`${column} <> ${value}::${type}`);
      case 'in':
        if (!leaf.negated) return sql`${column} = any(${value}::${type}[])`;
        return orNull(sql`${column} <> all(${value}::${type}[])`);
      case 'contains': {
        // not `ilike`: it and the trigram index disagree on letters whose lower case is ASCII (İ, the Kelvin sign)
        const has = (text: RawBuilder<unknown>) =>
          sql<boolean>`lower(${text}) like lower(${value})${this.#shortText(text, leaf)}`;
        if (definition.match) {
          const matching = definition.match((name) => has(sql.raw(name)));
          return leaf.negated ? sql`not ${matching}` : matching;
        }
        return leaf.negated ? sql`lower(${column}) not like lower(${value})` : has(column);
      }
      default: {
        const [positive, negative] = comparison[leaf.operator];
        if (!leaf.negated) return sql`${column} ${sql.raw(positive)} ${value}::${type}`;
        return orNull(sql`${column} ${sql.raw(negative)} ${value}::${type}`);
      }
    }
  }

  /** Rows without a value are those that the select without values does not return. */
  #selected(column: RawBuilder<unknown>, leaf: Leaf, select: NonNullable<ListFilter['select']>): RawBuilder<boolean> {
    const isAbsence = leaf.value === null;
    const values = isAbsence ? null : (this.#slot(leaf) as Scalar[]);
    const word = sql.raw(leaf.negated === isAbsence ? 'in' : 'not in');
    return sql`${column} ${word} ${select(this.#slots.scope as MemberScope, values)}`;
  }

  /**
   * Lets a text that is too short for the trigram index use the index of shorter grams (note 0060). It excludes no match, since
   * it uses the same lower case. A text that becomes longer in lower case has no such gram.
   */
  #shortText(column: RawBuilder<unknown>, leaf: Leaf): RawBuilder<unknown> {
    if (!isShort(leaf.value)) return empty;
    return sql` and name_grams(${column}) @> array[lower(${this.#slot(leaf, 'text')})]`;
  }

  #derived({ field, value, negated }: Leaf): RawBuilder<boolean> {
    const derived = this.#resource.derived?.[field];
    if (!derived) throw new Error(`no derived value ${field} in ${this.#resource.name}`);
    return sql`${negated ? sql.raw('not ') : empty}(${derived.matches(String(value), this.#slots.scope.now)})`;
  }
}

const isShort = (value: Leaf['value']) =>
  [...String(value)].length <= 2 && [...String(value).toLowerCase()].length <= 2;

function patternOf(value: Leaf['value']): string {
  return `%${String(value).replaceAll(/[\\%_]/g, '\\$&')}%`;
}

function definitionOf(resource: ListResource, field: string): ListFilter {
  const definition = filterOf(resource, field);
  if (!definition) throw new Error(`no field ${field} in ${resource.name}`);
  return definition;
}
