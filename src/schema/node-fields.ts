import type { ListResource } from '../domain/list/resource.ts';
import type { FieldExtensions, Types } from './builder.ts';
import { globalId, type NodeType } from './global-id.ts';

type ObjectFields<Row extends { id: string }> = PothosSchemaTypes.ObjectFieldBuilder<Types, Row>;

/**
 * The two ids of a type with global ids. Resolved without a promise: the Relay plugin's own id field makes one for each
 * row.
 */
export function nodeFields<Row extends { id: string }>(t: ObjectFields<Row>, type: NodeType) {
  return {
    id: t.id({
      description: 'Global id.',
      extensions: json({ globalId: type }),
      resolve: (row) => globalId(type, row.id),
    }),
    databaseId: t.id({ description: 'The id in REST.', extensions: json('id'), resolve: (row) => row.id }),
  };
}

function json(json: FieldExtensions['json']): FieldExtensions {
  return { json };
}

/** What a field that shows a column says of itself; its description is the one of REST. */
export function column<Name extends string>(
  resource: ListResource<Name>,
  name: Name,
): { description: string; extensions: FieldExtensions } {
  return { description: resource.fields[name].description, extensions: { columns: [name] } };
}
