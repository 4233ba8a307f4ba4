import fc from 'fast-check';
import type { ListField, ListResource } from '../../src/engine/list/resource.ts';
import type { Where } from './faces.ts';

/** Filters of these conditions, below each other in all ways. */
export function filtersOf(condition: fc.Arbitrary<Where>): fc.Arbitrary<Where> {
  return fc.letrec<{ where: Where }>((tie) => ({
    where: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      condition,
      fc.record({ $or: fc.array(tie('where'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ $and: fc.array(tie('where'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ $not: tie('where') }),
    ),
  })).where;
}

/** Values to compare fields with, beside those that the definition of a field names itself. */
export interface Comparands {
  id: fc.Arbitrary<unknown>;
  text: fc.Arbitrary<unknown>;
  number: fc.Arbitrary<unknown>;
  timestamp: fc.Arbitrary<unknown>;
}

/** A condition on any field of a resource, by any of its operators. */
export function conditionsOf(resource: ListResource, comparands: Comparands): fc.Arbitrary<Where> {
  const fields = Object.entries({ ...resource.fields, ...resource.filters });
  const usable = fields.filter(([, { operators, contains }]) => operators || contains);
  return fc.oneof(...usable.map(([name, field]) => fc.record({ [name]: comparisonOf(field, comparands) })));
}

function comparisonOf(field: ListField, comparands: Comparands): fc.Arbitrary<unknown> {
  if (field.contains) return comparands.text;
  const value = valueFor(field, comparands);
  const operators = (field.operators ?? []).map((name) => {
    // PostgreSQL tells a timestamp that is not there only by `ne`
    if (field.type === 'timestamp' && name === 'ne') return fc.record({ $ne: fc.constant(null) });
    const operand = name === 'in' ? fc.array(value, { minLength: 1, maxLength: 4 }) : orNull(value, field, name);
    return fc.record({ [`$${name}`]: operand });
  });
  return fc.oneof(orNull(value, field, 'eq'), ...operators);
}

function orNull(value: fc.Arbitrary<unknown>, { nullable }: ListField, operator: string): fc.Arbitrary<unknown> {
  return nullable && (operator === 'eq' || operator === 'ne') ? fc.option(value, { freq: 6 }) : value;
}

function valueFor({ type, members, names }: ListField, { id, text, number, timestamp }: Comparands) {
  if (members) return fc.constantFrom(...members);
  if (names) return fc.constantFrom(...Object.values(names));
  return { uuid: id, integer: number, timestamp, boolean: fc.boolean(), text, enum: text, enums: text, json: text }[
    type
  ];
}
