import type { InterfaceRef, ObjectFieldsShape, ObjectRef } from '@pothos/core';
import { answerColumns, planOnce, Selection } from '#compiled-graphql';
import type { Context, Loader } from '../../engine/context.ts';
import type { ListResource } from '../../engine/list/resource.ts';
import { builder, type ObjectFields, type Types } from '../builder/builder.ts';
import { globalId, type NodeType } from '../builder/global-id.ts';
import { type NodeAccess, nodeAccess } from '../builder/node-access.ts';
import { resourceFields } from './node-fields.ts';

interface NodeOptions extends Partial<NodeAccess> {
  /** Returns null for rows that the viewer may not see. */
  loader(ctx: Context, columns: string[], id: string): Pick<Loader<{ id: string } | null>, 'load'>;
}

/** A type that `node` and `nodes` find; declare its fields with `implement`. */
export function nodeRef<Row extends { id: string }>(name: NodeType, { loader, ...access }: NodeOptions) {
  nodeAccess.set(name, { organizational: true, ...access });
  return builder.nodeRef<Row>(name, {
    id: { resolve: ({ id }) => id },
    // this variant is passed the selection; the loader batches the rows of a page
    loadWithoutCache: (id, ctx, info) => {
      const selections = planOnce(ctx, info, () => new Map<NodeType, Selection>());
      const selection = selections.get(name) ?? Selection.answer(info, name);
      selections.set(name, selection);
      return loader(ctx, selection.columns(), id).load(id) as Promise<Row | null>;
    },
  });
}

interface ResourceNode<Row, Name extends string> extends NodeOptions {
  description: string;
  resource: ListResource<Name>;
  /** Columns that the type shows differently, or not at all. */
  without?: readonly Name[];
  interfaces?: InterfaceRef<Types, unknown>[];
  /** In addition to those of the resource. */
  fields?: ObjectFieldsShape<Types, Row>;
}

export function resourceNode<Row extends { id: string }, Name extends string = string>(
  name: NodeType,
  { description, resource, without, interfaces = [], fields, ...node }: ResourceNode<Row, Name>,
): ObjectRef<Types, Row> {
  return nodeRef<Row>(name, node).implement({
    description,
    interfaces: interfaces as never,
    fields: (t) => ({ ...resourceFields(t, resource, without), ...fields?.(t) }),
  });
}

interface NamedRow<By> {
  /** The property, and the column, with the id. */
  by: By;
  loader(ctx: Context, columns: string[]): Loader<object | null>;
  description: string;
}

/** Rows are read for all parents in one statement. */
export function namedRow<By extends string, Parent extends Record<By, string>>(
  t: ObjectFields<Parent>,
  type: ObjectRef<Types, unknown>,
  { by, loader, description }: NamedRow<By>,
) {
  return t.field({
    type,
    description,
    extensions: { columns: [by], cost: 1 },
    resolve: (parent, _args, ctx, info) => loader(ctx, answerColumns(ctx, info)).load((parent as Parent)[by]) as never,
  });
}

/** The payload itself is the row. */
export function rowField<Row extends object>(
  t: ObjectFields<Row>,
  type: ObjectRef<Types, unknown>,
  description: string,
) {
  return t.field({ type, description, extensions: { cost: 1 }, resolve: (row) => row });
}

export function removedId(t: ObjectFields<{ id: string }>, type: NodeType, description: string) {
  return t.id({ description, resolve: ({ id }) => globalId(type, id) });
}
