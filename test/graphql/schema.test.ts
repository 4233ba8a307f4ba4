import { readFile } from 'node:fs/promises';
import { type GraphQLNamedType, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { auditResource } from '../../src/domain/audit/audit.resource.ts';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import { invitationResource } from '../../src/domain/invitation/invitation.resource.ts';
import { camelCase } from '../../src/domain/list/dialect.ts';
import type { ListResource } from '../../src/domain/list/resource.ts';
import { membershipResource } from '../../src/domain/organization/membership.resource.ts';
import { sessionResource } from '../../src/domain/session/session.resource.ts';
import { subscriptionResource } from '../../src/domain/subscription/subscription.resource.ts';
import { printedSchema } from '../../src/schema/print.ts';
import { schema } from '../../src/schema/schema.ts';

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

test('every object type with an id implements Node', () => {
  const nodes = types.filter((type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'));
  expect(nodes.map(({ name }) => name).sort()).toEqual([
    'AuditEntry',
    'Event',
    'EventSubscription',
    'Invitation',
    'Membership',
    'Organization',
    'Session',
    'User',
  ]);
});

test('the enums have the members of REST in upper case', () => {
  const members = (name: string) => {
    const type = schema.getType(name);
    return isEnumType(type) ? type.getValues().map((each) => each.name) : null;
  };
  expect(members('EventStatus')).toEqual(['DRAFT', 'ACTIVE', 'CANCELLED', 'ARCHIVED']);
  expect(members('EventPhase')).toEqual(['UPCOMING', 'IN_PROGRESS', 'CONCLUDED']);
  expect(members('EventVisibility')).toEqual(['PUBLIC', 'ORGANIZATION']);
  expect(members('EventRegistration')).toEqual(['OPEN', 'APPROVAL', 'CLOSED']);
  expect(members('EventSubscriptionStatus')).toEqual(['PENDING', 'ACCEPTED', 'DECLINED', 'WAITLISTED', 'CANCELLED']);
  expect(members('OrganizationRole')).toEqual(['OWNER', 'MANAGER', 'MEMBER']);
  expect(members('EventOrderField')).toEqual(['DATE_START', 'CREATED_AT']);
  expect(members('OrderDirection')).toEqual(['ASC', 'DESC']);
});

test.each([
  ['Event', eventResource],
  ['EventSubscription', subscriptionResource],
  ['Membership', membershipResource],
  ['Invitation', invitationResource],
  ['Session', sessionResource],
  ['AuditEntry', auditResource],
] as [string, ListResource][])(
  '%s has every field of REST, and its filter every field and operator',
  (name, resource) => {
    const type = schema.getType(name);
    const where = schema.getType(`${name}Where`);
    if (!isObjectType(type) || !isInputObjectType(where)) throw new Error('wrong kind of type');
    for (const [column, { operators, contains }] of Object.entries(resource.fields)) {
      expect(type.getFields()).toHaveProperty(camelCase(column));
      const filter = where.getFields()[camelCase(column)]?.type;
      const expected = contains ? ['contains'] : operators;
      expect(isInputObjectType(filter) ? Object.keys(filter.getFields()).sort() : undefined).toEqual(
        expected && [...expected].sort(),
      );
    }
    const others = ['and', 'or', 'not', ...(resource.phase ? ['phase'] : [])];
    const filtered = Object.values(resource.fields).filter((each) => each.operators || each.contains);
    expect(Object.keys(where.getFields())).toHaveLength(filtered.length + others.length);
    expect(Object.keys(where.getFields())).toEqual(expect.arrayContaining(others));
  },
);

test('lists and their items are non-null, but for the items of nodes', () => {
  const lists = types
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${field.type}`))
    .filter((each) => each.includes('['));
  expect(lists.length).toBeGreaterThan(12);
  expect(lists.filter((each) => !/: \[\w+!\]!$/.test(each))).toEqual(['Query.nodes: [Node]!']);
});
