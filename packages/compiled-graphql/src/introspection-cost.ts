import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import { argumentsOf } from './arguments.ts';
import { codedError } from './rules.ts';
import type { Relation, Selection, SelectionSource } from './selection.ts';

export type IntrospectionSource = SelectionSource & Pick<GraphQLResolveInfo, 'variableValues'>;

/** The root fields for introspection; `Selection` knows only declared fields. */
const entries = [SchemaMetaFieldDef, TypeMetaFieldDef];

/**
 * Counts types, fields, arguments and so on as often as they occur, on the schema itself; stops above `limit`.
 *
 * @throws GraphQLError INVALID_QUERY if the same list is selected several times, which no tool does
 */
export function introspectionCost(source: IntrospectionSource, root: Selection, limit: number): number {
  const counter = new ObjectCounter(source, limit);
  let schemas = 0;
  for (const [key, [node]] of root.fields) {
    const entry = entries.find(({ name }) => name === node?.name.value);
    if (!node || !entry) continue;
    if (entry === SchemaMetaFieldDef) schemas += 1;
    counter.add(
      root,
      { key, node, types: [getNamedType(entry.type) as GraphQLObjectType], extensions: {} },
      entry,
      null,
    );
  }
  const repeated = schemas > 1 ? SchemaMetaFieldDef.name : counter.repeated;
  if (repeated !== null) throw codedError('INVALID_QUERY', `Introspection can select \`${repeated}\` only once.`);
  return counter.total;
}

class ObjectCounter {
  total = 0;
  /** A relation that is selected under several keys. */
  repeated: string | null = null;
  readonly #source: IntrospectionSource;
  readonly #limit: number;
  /** Many fields lead to the same type with the same selection. */
  readonly #known = new Map<Selection, Map<unknown, number>>();

  constructor(source: IntrospectionSource, limit: number) {
    this.#source = source;
    this.#limit = limit;
  }

  add(selection: Selection, relation: Relation, field: GraphQLField<unknown, unknown>, parent: unknown): void {
    const below = selection.under(relation.key, relation.types[0] as GraphQLObjectType);
    for (const object of this.#resolve(relation, field, parent)) {
      if (this.total > this.#limit) return;
      this.total += 1;
      this.#below(below, object);
    }
  }

  #below(selection: Selection, object: unknown): void {
    const known = this.#known.get(selection) ?? new Map<unknown, number>();
    this.#known.set(selection, known);
    const count = known.get(object);
    if (count !== undefined) {
      this.total += count;
      return;
    }
    const before = this.total;
    const fields = selection.type.getFields();
    const relations = selection.relations();
    const names = relations.map(({ node }) => node.name.value);
    this.repeated ??= names.find((name, index) => names.indexOf(name) < index) ?? null;
    for (const relation of relations) {
      const field = fields[relation.node.name.value];
      if (field) this.add(selection, relation, field, object);
    }
    known.set(object, this.total - before);
  }

  #resolve({ node }: Relation, { resolve }: GraphQLField<unknown, unknown>, parent: unknown): readonly unknown[] {
    const { schema, variableValues } = this.#source;
    const argument = argumentsOf(node, () => variableValues.coerced);
    const args = { name: argument('name'), includeDeprecated: argument('includeDeprecated') };
    // the introspection resolvers use nothing else
    const value = resolve?.(parent, args, undefined, { schema } as GraphQLResolveInfo);
    return [value ?? []].flat();
  }
}
