import type { FieldMap, FieldRef, ObjectRef, TypeParam } from '@pothos/core';
import type { ListField, ListResource } from '../../engine/list/resource.ts';
import { deprecationReason } from '../../kernel/deprecation.ts';
import { pick } from '../../kernel/objects.ts';
import { builder, type ObjectFields, type Types } from '../builder/builder.ts';
import { enumOf } from '../builder/enum-of.ts';
import type { FieldExtensions } from '../builder/field-extensions.ts';
import { camelCase } from './dialect.ts';

/** What it takes to show columns, on objects and interfaces. */
type ColumnFields<Row> = Pick<ObjectFields<Row>, 'id' | 'expose'>;

export function databaseId<Row extends { id: string }>(t: ColumnFields<Row>) {
  return t.id({ description: 'The id that REST uses.', resolve: (row) => row.id });
}

export function column<Name extends string>(
  fields: Readonly<Record<Name, ListField>>,
  name: Name,
): { description: string; deprecationReason?: string; extensions: FieldExtensions } {
  const { description, deprecated } = fields[name];
  const ending = deprecated && { deprecationReason: deprecationReason(deprecated) };
  return { description, ...ending, extensions: { columns: [name] } };
}

/** @param without columns that the type shows differently, or not at all */
export function resourceFields<Row extends { id: string }, Name extends string>(
  t: ColumnFields<Row>,
  { fields }: ListResource<Name>,
  without: readonly Name[] = [],
): FieldMap {
  const names = (Object.keys(fields) as Name[]).filter((name) => name !== 'id' && !without.includes(name));
  return { databaseId: databaseId(t), ...shownFields(t, pick(fields, names)) };
}

export function shownFields<Row>(t: ColumnFields<Row>, fields: Readonly<Record<string, ListField>>): FieldMap {
  const shown = Object.entries(fields).map(([name, definition]) => {
    const options = { ...column(fields, name), type: outputType(definition), nullable: definition.nullable };
    return [outputName(name, definition), t.expose(name as never, options as never) as FieldRef<Types>];
  });
  return Object.fromEntries(shown);
}

/** An object without an id. */
export function shownType<Row extends object>(
  name: string,
  description: string,
  fields: Readonly<Record<keyof Row & string, ListField>>,
): ObjectRef<Types, Row> {
  return builder.objectRef<Row>(name).implement({ description, fields: (t) => shownFields(t, fields) });
}

/** A raw id is called so, since the object that it names has the short name. */
export function outputName(name: string, { type }: ListField): string {
  return camelCase(type === 'uuid' ? name.replace(/_id$/, '_database_id') : name);
}

function outputType(definition: ListField): TypeParam<Types> {
  const members = definition.names ? Object.values(definition.names) : definition.members;
  if (members && definition.type === 'enums') return [enumOf<string | number>(members)] as TypeParam<Types>;
  if (members) return enumOf<string | number>(members);
  return outputTypes[definition.type];
}

const outputTypes = {
  uuid: 'ID',
  text: 'String',
  enum: 'String',
  enums: 'JSON',
  integer: 'Int',
  boolean: 'Boolean',
  timestamp: 'DateTime',
  json: 'JSON',
} as const;
