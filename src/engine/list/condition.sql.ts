import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Context } from '../context.ts';
import type { Condition, EventPhase, Leaf } from './condition.ts';
import { filterOf, type ListFilter, type ListResource, type Scalar, type ValueType } from './resource.ts';

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

/**
 * The SQL of a condition over the alias `t`. Names come from the resource's definition, values are bound; no client input
 * becomes part of the text.
 */
export function conditionSql(resource: ListResource, condition: Condition, ctx: Context): Sql {
  if (condition.kind === 'leaf') return leafSql(resource, condition, ctx);
  if (condition.items.length === 0) return raw(condition.kind === 'and' ? 'true' : 'false');
  const { kind } = condition;
  const absences = condition.items.filter(isAbsence);
  const others = condition.items.filter((item) => absences.length < 2 || !isAbsence(item));
  const items = others.map((item) => conditionSql(resource, item, ctx));
  if (absences.length > 1) items.push(...absencesSql(resource, absences, kind));
  return sql`(${join(items, kind === 'and' ? ' and ' : ' or ')})`;
}

function isAbsence(condition: Condition): condition is Leaf {
  return condition.kind === 'leaf' && condition.operator === 'contains' && condition.negated;
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
  if (leaf.operator === 'phase') return phaseSql(leaf.value as EventPhase, leaf.negated, ctx.now);
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
      if (leaf.negated) return sql`lower(${column}) not like lower(${pattern})`;
      return sql`lower(${column}) like lower(${pattern})${shortText(column, String(leaf.value))}`;
    }
    default: {
      const [positive, negative] = comparison[leaf.operator];
      if (!leaf.negated) return sql`${column} ${raw(positive)} ${leaf.value}::${type}`;
      return orNull(sql`${column} ${raw(negative)} ${leaf.value}::${type}`);
    }
  }
}

/** Without nulls: rows that have no value are those that the select without values does not name. */
function selectedSql(column: Sql, { value, negated }: Leaf, select: (values: Scalar[] | null) => Sql): Sql {
  const isAbsence = value === null;
  const values = isAbsence ? null : Array.isArray(value) ? value : [value];
  return sql`${column} ${raw(negated === isAbsence ? 'in' : 'not in')} (${select(values)})`;
}

/**
 * One or two characters cannot use the trigram index; this second condition lets PostgreSQL use the index of shorter grams
 * (note 0008). It excludes no match, since it uses the same lower case. A text that becomes longer in lower case has no such
 * gram.
 */
function shortText(column: Sql, text: string): Sql {
  if ([...text].length > 2 || [...text.toLowerCase()].length > 2) return empty;
  return sql` and name_grams(${column}) @> array[lower(${text})]`;
}

function phaseSql(phase: EventPhase, negated: boolean, now: Date): Sql {
  const moment = sql`${now.toISOString()}::timestamptz`;
  const dates = {
    UPCOMING: sql`t.date_start > ${moment}`,
    IN_PROGRESS: sql`t.date_start <= ${moment} and t.date_end >= ${moment}`,
    CONCLUDED: sql`t.date_end < ${moment}`,
  }[phase];
  return sql`${raw(negated ? 'not ' : '')}(t.status = 1 and ${dates})`;
}
