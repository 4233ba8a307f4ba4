import { isoTimestamp } from '../timestamp.ts';
import type { ListResource } from './resource.ts';

/**
 * Gives a row of the database the values that both faces show: its timestamps become ISO 8601.
 *
 * @param timestamps the columns of that type; whoever shapes many rows of a kind finds them once
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
