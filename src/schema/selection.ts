import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLIncludeDirective,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isCompositeType,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { FieldExtensions } from './builder.ts';
import type { CompiledInfo } from './writer.ts';

/**
 * What a selection is read against: the same of `GraphQLResolveInfo` and of validated execution arguments. Variables
 * matter to directives alone.
 */
export type SelectionSource = Pick<GraphQLResolveInfo, 'schema' | 'fragments'> &
  Partial<Pick<GraphQLResolveInfo, 'variableValues'>>;

/** A selected field that answers objects. */
export interface Relation {
  key: string;
  node: FieldNode;
  /** What it can answer. */
  types: readonly GraphQLObjectType[];
  cost: FieldExtensions['cost'];
}

/**
 * What a client asked for of one object type, as the executor will see it: fragments opened, `@skip` and `@include`
 * applied, fields of the same response key merged.
 */
export class Selection {
  readonly type: GraphQLObjectType;
  /** The nodes of each field, by response key. */
  readonly fields = new Map<string, FieldNode[]>();
  /** The response keys under which each field is selected. */
  private readonly keys = new Map<string, string[]>();
  private readonly source: SelectionSource;
  private readonly known = new Map<string, Selection>();
  private ownColumns: string[] | undefined;
  private ownRelations: Relation[] | undefined;

  constructor(source: SelectionSource, type: GraphQLObjectType, sets: Iterable<SelectionSetNode>) {
    this.source = source;
    this.type = type;
    const seen = new Set<string>();
    for (const set of sets) this.collect(set, seen);
  }

  /** The selection below a field of this type that answers `type`. */
  static of(source: SelectionSource, type: GraphQLObjectType, nodes: readonly FieldNode[]): Selection {
    return new Selection(source, type, selectionSets(nodes));
  }

  /** What is selected of the answer of a field that is being resolved; of an interface, as far as `type` is concerned. */
  static answer(info: GraphQLResolveInfo & CompiledInfo, type?: string): Selection {
    const compiled = type === undefined ? info.selection : info.selections?.get(type);
    if (compiled) return compiled;
    const named = type === undefined ? getNamedType(info.returnType) : info.schema.getType(type);
    if (!(named instanceof GraphQLObjectType)) throw new Error(`${info.fieldName} answers no object type`);
    return Selection.of(info, named, info.fieldNodes);
  }

  has(field: string): boolean {
    return this.keys.has(field);
  }

  /** The selection below a field, whatever it is called in the response; null where it is not selected. */
  below(field: string): Selection | null {
    const known = this.known.get(field);
    if (known) return known;
    const nodes = this.nodesOf(field);
    const type = getNamedType(this.type.getFields()[field]?.type);
    if (nodes.length === 0 || !(type instanceof GraphQLObjectType)) return null;
    const selection = Selection.of(this.source, type, nodes);
    this.known.set(field, selection);
    return selection;
  }

  /**
   * The selection below a field that is called but one thing in the response; null where it is not selected, or under
   * several keys, each of which shows something of its own.
   */
  only(field: string): Selection | null {
    const [key, ...others] = this.keys.get(field) ?? [];
    const type = getNamedType(this.type.getFields()[field]?.type);
    return key !== undefined && others.length === 0 && type instanceof GraphQLObjectType ? this.under(key, type) : null;
  }

  /** The selection below one response key, of one of the types that its field can answer. */
  under(key: string, type: GraphQLObjectType): Selection {
    const name = `${key}:${type.name}`;
    const selection = this.known.get(name) ?? Selection.of(this.source, type, this.fields.get(key) ?? []);
    this.known.set(name, selection);
    return selection;
  }

  /** The columns that the selected fields are made from. */
  columns(): string[] {
    if (this.ownColumns) return this.ownColumns;
    const columns = new Set<string>();
    for (const [node] of this.fields.values()) {
      const extensions = this.type.getFields()[node?.name.value ?? '']?.extensions as FieldExtensions | undefined;
      for (const column of extensions?.columns ?? []) columns.add(column);
    }
    this.ownColumns = [...columns].sort();
    return this.ownColumns;
  }

  /** The selected fields that answer objects. */
  relations(): readonly Relation[] {
    this.ownRelations ??= [...this.fields].flatMap(([key, [node]]) => {
      const field = node && this.type.getFields()[node.name.value];
      const types = possibleTypes(this.source.schema, getNamedType(field?.type));
      return field && types.length > 0 ? [{ key, node, types, cost: (field.extensions as FieldExtensions).cost }] : [];
    });
    return this.ownRelations;
  }

  /** How many fields are selected here and below; stops to count once there are more than `limit`. */
  size(limit: number): number {
    let total = this.fields.size;
    for (const { key, types } of this.relations()) {
      for (const each of types) {
        if (total > limit) return total;
        total += this.under(key, each).size(limit - total);
      }
    }
    return total;
  }

  /** Every node of a field. */
  nodesOf(field: string): FieldNode[] {
    return (this.keys.get(field) ?? []).flatMap((key) => this.fields.get(key) ?? []);
  }

  private collect(set: SelectionSetNode, seen: Set<string>): void {
    for (const node of set.selections) {
      if (!isIncluded(node, this.source)) continue;
      if (node.kind === 'Field') {
        this.add(node);
        continue;
      }
      const fragment = node.kind === 'FragmentSpread' ? this.fragment(node.name.value, seen) : node;
      if (fragment && applies(this.source.schema, fragment.typeCondition?.name.value, this.type)) {
        this.collect(fragment.selectionSet, seen);
      }
    }
  }

  private add(node: FieldNode): void {
    const name = node.name.value;
    const key = node.alias?.value ?? name;
    const nodes = this.fields.get(key);
    if (nodes) nodes.push(node);
    else {
      this.fields.set(key, [node]);
      this.keys.set(name, [...(this.keys.get(name) ?? []), key]);
    }
  }

  private fragment(name: string, seen: Set<string>): FragmentDefinitionNode | undefined {
    if (seen.has(name)) return undefined;
    seen.add(name);
    return this.source.fragments[name];
  }
}

/** What an operation selects of the root; null where the schema has no such root. */
export function rootSelection(source: SelectionSource, operation: OperationDefinitionNode): Selection | null {
  const root = source.schema.getRootType(operation.operation);
  return root ? new Selection(source, root, [operation.selectionSet]) : null;
}

/** The fragments of a document as selections look them up. */
export function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const each of document.definitions) {
    if (each.kind === 'FragmentDefinition') fragments[each.name.value] = each;
  }
  return fragments;
}

/** The object types that a field of this type can answer. */
export function possibleTypes(schema: GraphQLSchema, type: unknown): readonly GraphQLObjectType[] {
  if (type instanceof GraphQLObjectType) return [type];
  return isCompositeType(type) && isAbstractType(type) ? schema.getPossibleTypes(type) : [];
}

function selectionSets(nodes: readonly FieldNode[]): SelectionSetNode[] {
  return nodes.flatMap((node) => (node.selectionSet ? [node.selectionSet] : []));
}

function isIncluded(node: SelectionNode, { variableValues }: SelectionSource): boolean {
  if (!node.directives || node.directives.length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
}

function applies(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditional = schema.getType(condition) as GraphQLCompositeType | undefined;
  return isAbstractType(conditional) && schema.isSubType(conditional, type);
}

/** Where a context keeps its plans: on itself, since the garbage collector pays for each entry of a weak map. */
const plans = Symbol('plans');
type Plans = Map<FieldNode, { nodes: readonly FieldNode[]; plan: unknown }>;

/**
 * What a field will do, worked out once a request and not once a parent: arguments and selection are the same for all
 * parents of a field.
 */
export function planOnce<Plan>(ctx: object, info: GraphQLResolveInfo, make: () => Plan): Plan {
  // a compiled query has an `info` of each field of its own, made for the request
  const compiled = info as CompiledInfo;
  if (compiled.compiled) {
    compiled.plan ??= { made: make() };
    return compiled.plan.made as Plan;
  }
  const holder = ctx as { [plans]?: Plans };
  holder[plans] ??= new Map();
  const known = holder[plans];
  const [first] = info.fieldNodes as [FieldNode];
  const found = known.get(first);
  // a field of a fragment may be merged with other fields at one of its places and not at another
  if (found && sameNodes(found.nodes, info.fieldNodes)) return found.plan as Plan;
  const plan = make();
  known.set(first, { nodes: info.fieldNodes, plan });
  return plan;
}

function sameNodes(a: readonly FieldNode[], b: readonly FieldNode[]): boolean {
  return a.length === b.length && a.every((node, index) => node === b[index]);
}

/** The columns of its answer that a field needs. */
export function answerColumns(ctx: object, info: GraphQLResolveInfo): string[] {
  return planOnce(ctx, info, () => Selection.answer(info).columns());
}
