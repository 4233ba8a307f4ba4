import type { Dialect } from '../../engine/list/resource.ts';

/** `date_start` → `dateStart` (reference/conventions.md#conventions). */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `parseId` also accepts a global id of the right type. */
export function graphqlDialect(parseId: Dialect['parseId']): Dialect {
  return {
    fieldName: camelCase,
    operatorName: (operator) => operator,
    parseId,
    bareValues: false,
    nullIsAbsent: true,
  };
}
