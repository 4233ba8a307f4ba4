import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../schema/schema.ts';

/** Sorted, so that diffs are minimal. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
