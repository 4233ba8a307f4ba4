import {
  type FieldNode,
  type GraphQLNamedOutputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type JsonMember, type JsonShape, jsonShape } from '../domain/list/json-shape.ts';
import type { FieldExtensions } from './builder.ts';
import type { Selection } from './selection.ts';

/** What was found of selections before; they are those of compiled operations, which are few. */
const rows = new WeakMap<Selection, JsonShape | null>();
const pages = new WeakMap<Selection, PageJson | null>();

/**
 * What is selected of a row as the JSON that the database can make of it; null where anything of it is for a resolver
 * to say, or is called otherwise by the client, so that nothing a client wrote becomes part of a statement.
 */
export function rowJson(selection: Selection): JsonShape | null {
  return workedOutOnce(rows, selection, () => {
    const members = membersOf(selection);
    return members && jsonShape(members);
  });
}

/** A page of which only the items are shown. */
export interface PageJson {
  /** What the list of the items is called in the response. */
  key: string;
  item: JsonShape;
}

/** What is selected of a connection, where it is nothing but items that the database can write; or else null. */
export function pageJson(selection: Selection): PageJson | null {
  return workedOutOnce(pages, selection, () => pageOf(selection));
}

function workedOutOnce<Found>(
  known: WeakMap<Selection, Found | null>,
  selection: Selection,
  find: () => Found | null,
): Found | null {
  const before = known.get(selection);
  if (before !== undefined) return before;
  const found = find();
  known.set(selection, found);
  return found;
}

function pageOf(selection: Selection): PageJson | null {
  const [field, ...others] = selection.fields;
  if (!field || others.length > 0) return null;
  const [key] = field;
  const nodes = selection.only('nodes');
  const item = nodes && rowJson(nodes);
  if (item) return { key, item };
  const edges = selection.only('edges');
  const node = edges?.fields.size === 1 && edges.fields.has('node') ? edges.only('node') : null;
  const row = node && membersOf(node);
  return row && { key, item: jsonShape([{ key: 'node', row }]) };
}

function membersOf(selection: Selection): JsonMember[] | null {
  const members: JsonMember[] = [];
  for (const [key, [node]] of selection.fields) {
    const member = node && memberOf(selection, key, node);
    if (!member) return null;
    members.push(member);
  }
  return members;
}

function memberOf(selection: Selection, key: string, node: FieldNode): JsonMember | null {
  const name = node.name.value;
  if (key !== name) return null;
  if (name === '__typename') return { key, constant: selection.type.name };
  const field = selection.type.getFields()[name];
  if (!field) return null;
  const { pothosExposedField: column, json } = field.extensions as FieldExtensions & { pothosExposedField?: string };
  if (json === 'user') {
    const below = selection.only(name);
    const user = below && membersOf(below);
    return user && { key, user };
  }
  if (json === 'id') return { key, column: 'id', as: 'plain' };
  if (json) return { key, column: 'id', as: 'base64', prefix: `${json.globalId}:` };
  return column === undefined ? null : columnMember(key, column, field.type);
}

const scalars: Record<string, 'literal' | 'text' | 'plain' | 'timestamp'> = {
  ID: 'plain',
  Int: 'literal',
  String: 'text',
  DateTime: 'timestamp',
};

function columnMember(key: string, column: string, type: GraphQLOutputType): JsonMember | null {
  const nullable = !isNonNullType(type);
  if (isListType(getNullableType(type))) return null;
  const named: GraphQLNamedOutputType = getNamedType(type);
  if (isEnumType(named)) {
    const names = new Map(named.getValues().map((each) => [each.value as unknown, each.name]));
    return { key, column, nullable, as: 'name', names };
  }
  const as = scalars[named.name];
  return as ? { key, column, nullable, as } : null;
}
