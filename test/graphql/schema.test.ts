import { readFile } from 'node:fs/promises';
import {
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { printedSchema } from '../../src/commands/printed-schema.ts';
import { nodeTypes } from '../../src/schema/builder/global-id.ts';
import { camelCase } from '../../src/schema/relay/dialect.ts';
import { outputName } from '../../src/schema/relay/node-fields.ts';
import { schema } from '../../src/schema/schema.ts';
import { lists } from '../support/lists.ts';

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

test('schema.graphql is the schema, printed: run `npm run print` after a change', async () => {
  expect(await readFile('schema.graphql', 'utf8')).toBe(printedSchema());
});

test('every type, field, argument and enum member is described', () => {
  const builtIn = ['String', 'Int', 'Float', 'Boolean', 'ID'];
  const bare = types.flatMap((type) => [
    ...(type.description || builtIn.includes(type.name) ? [] : [type.name]),
    ...partsOf(type).flatMap(({ name, description }) => (description ? [] : [`${type.name}.${name}`])),
  ]);
  expect(bare).toEqual([]);
});

function partsOf(type: GraphQLNamedType) {
  if (isEnumType(type)) return type.getValues();
  if (isInputObjectType(type)) return Object.values(type.getFields());
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [field, ...field.args]);
}

test('every object type with both ids implements Node, and every type that has global ids is there', () => {
  const withIds = types.filter(
    (type) => isObjectType(type) && 'id' in type.getFields() && 'databaseId' in type.getFields(),
  );
  const nodes = types.filter((type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'));
  expect(nodes.map(({ name }) => name).sort()).toEqual([...nodeTypes].sort());
  expect(withIds).toEqual(nodes);
});

test('every field that leads to rows says what they cost', () => {
  // what such a field of these leads to is part of what led to them
  const parts = /(Connection|Edge)$/;
  const free = types.filter(isObjectType).flatMap((type) =>
    parts.test(type.name) || type === schema.getMutationType()
      ? []
      : Object.values(type.getFields()).flatMap((field) => {
          const named = getNamedType(field.type);
          const rows =
            isInterfaceType(named) ||
            (isObjectType(named) && ('databaseId' in named.getFields() || /Connection$/.test(named.name)));
          return rows && !('cost' in field.extensions) ? [`${type.name}.${field.name}`] : [];
        }),
  );
  expect(free).toEqual([]);
});

// GraphQL has one filter of subscriptions
const { 'subscriptions of an event': _, ...typed } = lists;
test.each(Object.values(typed))(
  '$type has every field of REST, and its filter every field and operator',
  ({ type: name, resource }) => {
    const type = schema.getType(name);
    const where = schema.getType(`${name}Where`);
    if (!isObjectType(type) || !isInputObjectType(where)) throw new Error('wrong kind of type');
    const filters = { ...resource.fields, ...resource.filters };
    for (const [column, field] of Object.entries(resource.fields)) {
      // who did it, and the change of a delivery, have names of their own
      const own = { created_by: 'creator', inviter_id: 'inviter', change_id: 'changeId' }[column];
      expect(type.getFields()).toHaveProperty(own ?? (column === 'id' ? 'id' : outputName(column, field)));
    }
    for (const [column, { operators, contains }] of Object.entries(filters)) {
      const filter = where.getFields()[camelCase(column)]?.type;
      const expected = contains ? ['contains'] : operators;
      expect(isInputObjectType(filter) ? Object.keys(filter.getFields()).sort() : undefined).toEqual(
        expected && [...expected].sort(),
      );
    }
    const others = ['and', 'or', 'not', ...Object.keys(resource.derived ?? {})];
    const filtered = Object.values(filters).filter((each) => each.operators || each.contains);
    expect(Object.keys(where.getFields())).toHaveLength(filtered.length + others.length);
    expect(Object.keys(where.getFields())).toEqual(expect.arrayContaining(others));
  },
);

test('lists and their items are non-null, except the items of nodes, and errors of values that there may be none of', () => {
  const all = types
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${field.type}`))
    .filter((each) => each.includes('['));
  expect(all.length).toBeGreaterThan(12);
  expect(all.filter((each) => !/: \[\w+!\]!$/.test(each))).toEqual([
    'BulkError.errors: [InputIssue!]',
    'Query.nodes: [Node]!',
  ]);
});
