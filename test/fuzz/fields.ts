import { type GraphQLObjectType, getNamedType, isLeafType } from 'graphql';
import type { ListField, ListResource } from '../../src/engine/list/resource.ts';
import { outputName } from '../../src/schema/relay/node-fields.ts';
import { schema } from '../../src/schema/schema.ts';

/** The fields that both faces have, and that stay as they are from one answer to the next. */
export function comparableFields({ type, resource }: { type: string; resource: ListResource }): [string, ListField][] {
  const fields = (schema.getType(type) as GraphQLObjectType).getFields();
  const isLeaf = (name: string, definition: ListField) => {
    const field = fields[outputName(name, definition)];
    return field !== undefined && isLeafType(getNamedType(field.type));
  };
  const moving = ['pending', 'mailed_at', 'last_failure_at', 'last_used_at', 'status_reason'];
  return Object.entries(resource.fields).filter(
    ([name, field]) => name === 'id' || (isLeaf(name, field) && !moving.includes(name)),
  );
}

/** A value of GraphQL as REST has it. */
export function asRestValue(field: ListField | null, value: unknown): unknown {
  if (value === null) return null;
  if (field?.names) return field.names[String(value)];
  if (Array.isArray(value)) return value.map((each) => String(each).toLowerCase());
  const ofEnum = (member: string) => member.toUpperCase().replace('.', '_');
  if (field?.members) return field.members.find((member) => ofEnum(member) === value);
  return field === null ? String(value).toLowerCase() : value;
}
