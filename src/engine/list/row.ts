import { isoTimestamp } from '../../kernel/timestamp.ts';
import type { ListResource } from './resource.ts';

/**
 * Converts a row of the database to the values that both faces show: timestamps become ISO 8601.
 *
 * @param timestamps the columns of that type, determined once for many rows
 */
export function shapeRow<Row>(
  resource: ListResource,
  row: Record<string, unknown>,
  timestamps = timestampColumns(resource, Object.keys(row)),
): Row {
  for (const name of timestamps) if (row[name] !== null) row[name] = isoTimestamp(row[name] as string);
  return row as Row;
}

export function timestampColumns(resource: ListResource, names: readonly string[]): string[] {
  return names.filter((name) => resource.fields[name]?.type === 'timestamp');
}
