import type { ObjectFieldsShape, ObjectRef } from '@pothos/core';
import { answerColumns } from '#compiled-graphql';
import type { Context, Loader } from '../../engine/context.ts';
import type { ListResource } from '../../engine/list/resource.ts';
import type { ObjectFields, Types } from '../builder/builder.ts';
import { globalId, type NodeType } from '../builder/global-id.ts';
import { oneNode } from './field-costs.ts';
import { type NodeOptions, nodeRef } from './node.ts';
import { resourceFields } from './node-fields.ts';

interface ResourceNode<Row, Name extends string> extends NodeOptions {
  description: string;
  resource: ListResource<Name>;
  /** Columns that the type shows differently, or not at all. */
  without?: readonly Name[];
  /** What it has in addition to the fields of the resource. */
  fields?: ObjectFieldsShape<Types, Row>;
}

/** A type with a global id that has the fields of a resource. */
export function resourceNode<Row extends { id: string }, Name extends string = string>(
  name: NodeType,
  { description, resource, without, fields, ...node }: ResourceNode<Row, Name>,
): ObjectRef<Types, Row> {
  return nodeRef<Row>(name, node).implement({
    description,
    fields: (t) => ({ ...resourceFields(t, resource, without), ...fields?.(t) }),
  });
}

interface NamedRow<By> {
  /** The property with the id, which is also the column that a parent is read with. */
  by: By;
  loader(ctx: Context, columns: string[]): Loader<object | null>;
  description: string;
}

/** A field with the row that an id names; rows are read for all parents in one statement. */
export function namedRow<By extends string, Parent extends Record<By, string>>(
  t: ObjectFields<Parent>,
  type: ObjectRef<Types, unknown>,
  { by, loader, description }: NamedRow<By>,
) {
  return t.field({
    type,
    description,
    extensions: { columns: [by], cost: oneNode },
    resolve: (parent, _args, ctx, info) => loader(ctx, answerColumns(ctx, info)).load((parent as Parent)[by]) as never,
  });
}

/** A payload field with the row that the payload is. */
export function rowField<Row extends object>(
  t: ObjectFields<Row>,
  type: ObjectRef<Types, unknown>,
  description: string,
) {
  return t.field({ type, description, extensions: { cost: oneNode }, resolve: (row) => row });
}

/** A payload field with the global id of what is no more. */
export function removedId(t: ObjectFields<{ id: string }>, type: NodeType, description: string) {
  return t.id({ description, resolve: ({ id }) => globalId(type, id) });
}
