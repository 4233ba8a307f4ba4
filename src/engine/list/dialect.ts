import { parseUuid } from '../../kernel/uuid.ts';
import type { ListResource, Noun, Operator } from './resource.ts';

/** The notation of filters in one face. The meaning is the same in both. */
export interface Dialect {
  /** The client's name of a field of the resource. */
  fieldName(field: string): string;
  operatorName(operator: Operator | 'and' | 'or' | 'not'): string;
  parseId(value: unknown, type: Noun): string | null;
  /** A bare value is equality (REST); otherwise every field takes an object of operators (GraphQL). */
  bareValues: boolean;
  /** A field that is null counts as absent (GraphQL clients send null for what they leave out). */
  nullIsAbsent: boolean;
}

export const restDialect: Dialect = {
  fieldName: (field) => field,
  operatorName: (operator) => `$${operator}`,
  parseId: parseUuid,
  bareValues: true,
  nullIsAbsent: false,
};

/** The fields of a resource that a filter may name, by the client's name. */
export function filterNames(resource: ListResource, dialect: Dialect): Map<string, string> {
  return new Map(
    Object.entries(resource.fields)
      .filter(([, definition]) => definition.operators || definition.contains)
      .map(([name]) => [dialect.fieldName(name), name]),
  );
}
