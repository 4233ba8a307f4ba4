import { isoTimestamp } from '../timestamp.ts';
import type { ListResource } from './resource.ts';

/** Gives a row of the database the values that both faces show: its timestamps become ISO 8601. */
export function shapeRow<Row>(resource: ListResource, row: Record<string, unknown>): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'string' && resource.fields[name]?.type === 'timestamp') row[name] = isoTimestamp(value);
  }
  return row as Row;
}
