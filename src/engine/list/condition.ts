import type { Operator, Scalar } from './resource.ts';

/** The phases of an active event, by its dates and now (interface/resources.md#phase). */
export const eventPhases = ['UPCOMING', 'IN_PROGRESS', 'CONCLUDED'] as const;
export type EventPhase = (typeof eventPhases)[number];

export type LeafOperator = Exclude<Operator, 'ne'> | 'contains' | 'phase';

/** One comparison; `negated` is its exact complement, null included. */
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

/** Whether a canonical condition matches every row. */
export function isEverything(condition: Condition): boolean {
  return condition.kind === 'and' && condition.items.length === 0;
}

/** The comparisons of a filter. */
export function leavesOf(condition: Condition): Leaf[] {
  return condition.kind === 'leaf' ? [condition] : condition.items.flatMap(leavesOf);
}

const complement: Partial<Record<LeafOperator, LeafOperator>> = { gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' };

/** The exact complement: every row matches either a condition or its negation. */
export function negate(condition: Condition): Condition {
  if (condition.kind !== 'leaf') {
    return { kind: condition.kind === 'and' ? 'or' : 'and', items: condition.items.map(negate) };
  }
  const opposite = condition.nullable ? undefined : complement[condition.operator];
  return opposite ? { ...condition, operator: opposite } : { ...condition, negated: !condition.negated };
}

/**
 * The canonical form: nested groups of the same kind are flattened, duplicates removed, members sorted, so that the order of
 * keys does not matter. Cursors are bound to it.
 */
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

/** A canonical condition as text: equal texts mean equal filters. */
export function canonicalText(condition: Condition): string {
  if (condition.kind !== 'leaf') return `${condition.kind}(${condition.items.map(canonicalText).join(',')})`;
  const { field, negated, operator, value } = condition;
  return JSON.stringify([field, negated, operator, operator === 'contains' ? lowerCase(String(value)) : value]);
}

/**
 * Lowercases letter by letter, and only if the result is one letter. Only for the canonical text: the database lowercases
 * what it compares itself, and its locale may differ.
 */
function lowerCase(text: string): string {
  const lower = (letter: string) => ([...letter.toLowerCase()].length === 1 ? letter.toLowerCase() : letter);
  return [...text].map(lower).join('');
}

function compareScalars(a: Scalar, b: Scalar): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1;
}
