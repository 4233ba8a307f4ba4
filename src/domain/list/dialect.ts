import { parseUuid } from '../uuid.ts';
import type { IdType, ListResource, Operator } from './resource.ts';

/** How one face writes a filter. What it means is the same in both. */
export interface Dialect {
  /** The client's name of a field of the resource. */
  fieldName(field: string): string;
  operatorName(operator: Operator | 'and' | 'or' | 'not'): string;
  parseId(value: unknown, type: IdType): string | null;
  /** A bare value is equality (REST); otherwise every field takes an object of operators (GraphQL). */
  bareValues: boolean;
  /** A field that is null is absent (GraphQL: clients send null for what they leave out). */
  nullIsAbsent: boolean;
}

export const restDialect: Dialect = {
  fieldName: (field) => field,
  operatorName: (operator) => `$${operator}`,
  parseId: parseUuid,
  bareValues: true,
  nullIsAbsent: false,
};

/** `date_start` → `dateStart`: GraphQL's writing of a REST name (decisions §1). */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** GraphQL's writing of a filter; `parseId` also takes a Relay global id of the right type. */
export function graphqlDialect(parseId: Dialect['parseId']): Dialect {
  return {
    fieldName: camelCase,
    operatorName: (operator) => operator,
    parseId,
    bareValues: false,
    nullIsAbsent: true,
  };
}

/** The fields of a resource that a filter may name, by the client's name. */
export function filterNames(resource: ListResource, dialect: Dialect): Map<string, string> {
  return new Map(
    Object.entries(resource.fields)
      .filter(([, definition]) => definition.operators || definition.contains)
      .map(([name]) => [dialect.fieldName(name), name]),
  );
}
