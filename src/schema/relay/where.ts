import type { EnumRef, InputFieldMap, InputObjectRef } from '@pothos/core';
import type { ListField, ListResource, Operator } from '../../engine/list/resource.ts';
import { builder, type Types } from '../builder/builder.ts';
import { enumOf } from '../builder/enum-of.ts';
import { parseEitherId } from '../builder/global-id.ts';
import { camelCase, graphqlDialect } from './dialect.ts';

/** camelCase, no `$`, either kind of id. */
export const whereDialect = graphqlDialect(parseEitherId);

/** As the client sent it; only `parseWhere` interprets it. */
export type WhereValue = Record<string, unknown>;

type Input = InputObjectRef<Types, WhereValue>;
type Operand = 'ID' | 'String' | 'Int' | 'Boolean' | 'DateTime' | EnumRef<Types, string>;

const meaning: Record<Operator | 'contains', string> = {
  eq: 'Equals this value; on a nullable field, null matches items without a value.',
  ne: 'Does not equal this value; also matches null.',
  in: 'Equals one of these 1 to 100 values.',
  gt: 'Is greater, or later.',
  gte: 'Is greater or equal, or not earlier.',
  lt: 'Is less, or earlier.',
  lte: 'Is less or equal, or not later.',
  contains: 'Contains this text of 1 to 200 characters: a literal, case-insensitive match.',
};

const filters = new Map<string, Input>();

/** From the same definition as REST's `where`, so that the two cannot drift apart (reference/lists.md#filters). */
export function whereInput(name: string, resource: ListResource): Input {
  const ref = builder.inputRef<WhereValue>(name);
  return ref.implement({
    description: 'A filter: all of its conditions must match. At most 50 conditions, nested at most 5 levels deep.',
    fields: (t) => {
      const fields: InputFieldMap = {};
      for (const [column, definition] of Object.entries({ ...resource.fields, ...resource.filters })) {
        if (!definition.operators && !definition.contains) continue;
        fields[camelCase(column)] = t.field({ type: filterOf(definition), description: definition.description });
      }
      for (const [name, { members, description }] of Object.entries(resource.derived ?? {})) {
        fields[camelCase(name)] = t.field({ type: enumFilter(members, ['eq']), description });
      }
      fields.and = t.field({ type: [ref], description: 'All of these 1 to 50 filters match.' });
      fields.or = t.field({ type: [ref], description: 'At least one of these 1 to 50 filters matches.' });
      fields.not = t.field({
        type: ref,
        description: 'This filter does not match. It is the exact complement, also for null.',
      });
      return fields as never;
    },
  }) as Input;
}

function filterOf(definition: ListField): Input {
  const operators = definition.operators ?? [];
  if (definition.contains) return filterInput('StringContainsFilter', 'String', ['contains']);
  const members = definition.names ? Object.values(definition.names) : definition.members;
  if (members) return enumFilter(members, operators);
  switch (definition.type) {
    case 'uuid':
      return filterInput('IDFilter', 'ID', operators);
    case 'integer':
      return filterInput('IntFilter', 'Int', operators);
    case 'boolean':
      return filterInput('BooleanFilter', 'Boolean', operators);
    case 'timestamp':
      return definition.nullable
        ? filterInput('NullableDateTimeFilter', 'DateTime', operators, {
            ne: 'Takes only null: matches if the field has a value.',
          })
        : filterInput('DateTimeFilter', 'DateTime', operators);
    default:
      return filterInput(operators.length === 1 ? 'StringEqualsFilter' : 'StringFilter', 'String', operators);
  }
}

function enumFilter(members: readonly (string | number)[], operators: readonly Operator[]): Input {
  const ref = enumOf(members);
  return filterInput(`${ref.name}Filter`, ref as EnumRef<Types, string>, operators);
}

function filterInput(
  name: string,
  operand: Operand,
  operators: readonly (Operator | 'contains')[],
  descriptions: Partial<typeof meaning> = {},
): Input {
  const known = filters.get(name);
  if (known) return known;
  const made = builder.inputRef<WhereValue>(name).implement({
    description: 'Conditions on one field: all of them must match.',
    fields: (t) =>
      Object.fromEntries(
        operators.map((operator) => {
          const description = descriptions[operator] ?? meaning[operator];
          return [operator, t.field({ type: operator === 'in' ? [operand] : operand, description })];
        }),
      ),
  }) as Input;
  filters.set(name, made);
  return made;
}
