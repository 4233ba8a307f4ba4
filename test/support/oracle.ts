import type { Where } from './faces.ts';

/** A row as a test knows it: REST names, timestamps as ISO 8601 text (which sorts as time does). */
export type OracleRow = Record<string, string | number | boolean | null> & { id: string };

/** Whether a row matches a filter, by the words of reference/lists.md and by none of the service's code. */
export function matches(row: OracleRow, where: Where): boolean {
  return Object.entries(where).every(([key, value]) => {
    if (key === '$and') return (value as Where[]).every((each) => matches(row, each));
    if (key === '$or') return (value as Where[]).some((each) => matches(row, each));
    if (key === '$not') return !matches(row, value as Where);
    const actual = row[key] as string | number | null;
    if (key === 'name' || key === 'attendee_name')
      return String(actual).toLowerCase().includes(String(value).toLowerCase());
    if (typeof value !== 'object' || value === null) return actual === value;
    return Object.entries(value).every(([operator, operand]) => compare(actual, operator, operand));
  });
}

function compare(actual: string | number | null, operator: string, operand: unknown): boolean {
  if (operator === '$eq') return actual === operand;
  if (operator === '$ne') return actual !== operand;
  if (operator === '$in') return (operand as unknown[]).includes(actual);
  if (actual === null) return false;
  const other = operand as typeof actual;
  if (operator === '$gt') return actual > other;
  if (operator === '$gte') return actual >= other;
  if (operator === '$lt') return actual < other;
  if (operator === '$lte') return actual <= other;
  throw new Error(`no operator ${operator}`);
}

/** The ids of the matching rows in order. */
export function orderedIds(rows: readonly OracleRow[], where: Where, order: string, direction: 1 | -1): string[] {
  const key = (row: OracleRow) => `${row[order]} ${row.id}`;
  return rows
    .filter((row) => matches(row, where))
    .sort((a, b) => (key(a) < key(b) ? -direction : direction))
    .map((row) => row.id);
}
