import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './schema.ts';

/** The schema as the committed `schema.graphql` has it: sorted, so that a change shows as nothing but itself. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
