import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Context } from '../context.ts';
import {
  filterOf,
  type ListFilter,
  type ListResource,
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

/** A condition over the alias `t`. Names come from the resource's definition, values are bound. */
export function conditionSql(resource: ListResource, condition: Condition, ctx: Context): Sql {
  if (condition.kind === 'leaf') return leafSql(resource, condition, ctx);
  if (condition.items.length === 0) return raw(condition.kind === 'and' ? 'true' : 'false');
  const { kind } = condition;
  const absences = condition.items.filter((item) => isAbsence(resource, item));
  const others = condition.items.filter((item) => absences.length < 2 || !isAbsence(resource, item));
  const items = others.map((item) => conditionSql(resource, item, ctx));
  if (absences.length > 1) items.push(...absencesSql(resource, absences, kind));
  return sql`(${join(items, kind === 'and' ? ' and ' : ' or ')})`;
}

function isAbsence(resource: ListResource, condition: Condition): condition is Leaf {
  if (condition.kind !== 'leaf' || condition.operator !== 'contains') return false;
  return condition.negated && !definitionOf(resource, condition.field).match;
}

/** No index serves negated `contains`. Most of the cost is lowercasing the text, so all patterns of a column share it. */
function absencesSql(resource: ListResource, absences: readonly Leaf[], kind: 'and' | 'or'): Sql[] {
  return [...Map.groupBy(absences, ({ field }) => field)].map(([field, leaves]) => {
    const patterns = leaves.map(({ value }) => sql`lower(${patternOf(value)})`);
    return sql`lower(${columnOf(resource, field)}) not like ${raw(kind === 'and' ? 'all' : 'any')}(array[${join(patterns)}])`;
  });
}

function patternOf(value: Leaf['value']): string {
  return `%${String(value).replaceAll(/[\\%_]/g, '\\$&')}%`;
}

function definitionOf(resource: ListResource, field: string): ListFilter {
  const definition = filterOf(resource, field);
  if (!definition) throw new Error(`no field ${field} in ${resource.name}`);
  return definition;
}

function columnOf(resource: ListResource, field: string): Sql {
  return raw(`t.${definitionOf(resource, field).column ?? field}`);
}

function leafSql(resource: ListResource, leaf: Leaf, ctx: Context): Sql {
  if (leaf.operator === 'derived') return derivedSql(resource, leaf, ctx.now);
  const definition = definitionOf(resource, leaf.field);
  const column = columnOf(resource, leaf.field);
  if (definition.select) return selectedSql(column, leaf, (values) => definition.select?.(ctx, values) ?? empty);
  const type = raw(cast[definition.type]);
  const orNull = (condition: Sql): Sql => (leaf.nullable ? sql`(${condition} or ${column} is null)` : condition);
  switch (leaf.operator) {
    case 'eq':
      if (leaf.value === null) return leaf.negated ? sql`${column} is not null` : sql`${column} is null`;
      if (!leaf.negated) return sql`${column} = ${leaf.value}::${type}`;
      return orNull(sql`${column} <> ${leaf.value}::${type}`);
    case 'in':
      if (!leaf.negated) return sql`${column} = any(${leaf.value}::${type}[])`;
      return orNull(sql`${column} <> all(${leaf.value}::${type}[])`);
    case 'contains': {
      const pattern = patternOf(leaf.value);
      // not `ilike`: it and the trigram index disagree on letters whose lower case is ASCII (İ, the Kelvin sign)
      const has = (text: Sql) => sql`lower(${text}) like lower(${pattern})${shortText(text, String(leaf.value))}`;
      if (definition.match) {
        const matching = definition.match((name) => has(raw(name)));
        return leaf.negated ? sql`not ${matching}` : matching;
      }
      return leaf.negated ? sql`lower(${column}) not like lower(${pattern})` : has(column);
    }
    default: {
      const [positive, negative] = comparison[leaf.operator];
      if (!leaf.negated) return sql`${column} ${raw(positive)} ${leaf.value}::${type}`;
      return orNull(sql`${column} ${raw(negative)} ${leaf.value}::${type}`);
    }
  }
}

/** Rows without a value are those that the select without values does not return. */
function selectedSql(column: Sql, { value, negated }: Leaf, select: (values: Scalar[] | null) => Sql): Sql {
  const isAbsence = value === null;
  const values = isAbsence ? null : Array.isArray(value) ? value : [value];
  return sql`${column} ${raw(negated === isAbsence ? 'in' : 'not in')} (${select(values)})`;
}

/**
 * Lets a text that is too short for the trigram index use the index of shorter grams (note 0060). It excludes no match, since
 * it uses the same lower case. A text that becomes longer in lower case has no such gram.
 */
function shortText(column: Sql, text: string): Sql {
  if ([...text].length > 2 || [...text.toLowerCase()].length > 2) return empty;
  return sql` and name_grams(${column}) @> array[lower(${text})]`;
}

function derivedSql(resource: ListResource, { field, value, negated }: Leaf, now: Date): Sql {
  const derived = resource.derived?.[field];
  if (!derived) throw new Error(`no derived value ${field} in ${resource.name}`);
  return sql`${raw(negated ? 'not ' : '')}(${derived.matches(String(value), now)})`;
}
