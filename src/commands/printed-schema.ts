import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../schema/schema.ts';

/** The schema as in the committed `schema.graphql`: sorted, so that diffs are minimal. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
