import {
  doTypesOverlap,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLFieldExtensions,
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

interface Extensions {
  /** The columns of the parent's row that it needs. */
  columns?: readonly string[];
}

/** The common part of `GraphQLResolveInfo` and execution arguments; the variables are needed only for directives. */
export type SelectionSource = Pick<GraphQLResolveInfo, 'schema' | 'fragments'> &
  Partial<Pick<GraphQLResolveInfo, 'variableValues'>>;

/** A compiled query adds its selections, which are the same in each run. */
export type PlannedInfo = GraphQLResolveInfo & { answers?: readonly Selection[] };

/** What has a selection. */
type Parent = Pick<FieldNode, 'selectionSet'>;

/** A selected field whose type is composite. */
export interface Relation {
  key: string;
  node: FieldNode;
  types: readonly GraphQLObjectType[];
  extensions: Readonly<GraphQLFieldExtensions<unknown, unknown>>;
}

/** The selected fields of one object type: fragments expanded, directives applied, same response keys merged. */
export class Selection {
  readonly type: GraphQLObjectType;
  /** By response key. */
  readonly fields = new Map<string, FieldNode[]>();
  /** By field name: below several aliases of one field, different fields may have the same response key. */
  private readonly nodes = new Map<string, FieldNode[]>();
  readonly source: SelectionSource;
  private readonly known = new Map<string, Selection>();
  private ownColumns: string[] | undefined;
  private ownRelations: Relation[] | undefined;

  /** @param nodes the fields above it, or the operation */
  constructor(source: SelectionSource, type: GraphQLObjectType, nodes: readonly Parent[]) {
    this.source = source;
    this.type = type;
    const seen = new Set<string>();
    for (const { selectionSet } of nodes) if (selectionSet) this.collect(selectionSet, seen);
  }

  /** The selection below a field that is being resolved. @param type one of the types of an interface */
  static answer(info: PlannedInfo, type?: string): Selection {
    const named = type === undefined ? getNamedType(info.returnType) : info.schema.getType(type);
    const planned = info.answers?.find((each) => each.type === named);
    if (planned) return planned;
    if (!(named instanceof GraphQLObjectType)) throw new Error(`${info.fieldName} does not return an object type`);
    return new Selection(info, named, info.fieldNodes);
  }

  has(field: string): boolean {
    return this.nodes.has(field);
  }

  /** The selection below a field, under any alias; null if it is not selected. */
  below(field: string): Selection | null {
    const known = this.known.get(field);
    if (known) return known;
    const nodes = this.nodes.get(field);
    const type = getNamedType(this.type.getFields()[field]?.type);
    if (!nodes || !(type instanceof GraphQLObjectType)) return null;
    const selection = new Selection(this.source, type, nodes);
    this.known.set(field, selection);
    return selection;
  }

  /** The selection below one response key, for one of the types of its field. */
  under(key: string, type: GraphQLObjectType): Selection {
    const name = `${key}:${type.name}`;
    const selection = this.known.get(name) ?? new Selection(this.source, type, this.fields.get(key) ?? []);
    this.known.set(name, selection);
    return selection;
  }

  /** The columns that the selected fields need. */
  columns(): string[] {
    if (this.ownColumns) return this.ownColumns;
    const columns = new Set<string>();
    for (const name of this.nodes.keys()) {
      const extensions = this.type.getFields()[name]?.extensions as Extensions | undefined;
      for (const column of extensions?.columns ?? []) columns.add(column);
    }
    this.ownColumns = [...columns].sort();
    return this.ownColumns;
  }

  /** The selected fields of composite types. */
  relations(): readonly Relation[] {
    this.ownRelations ??= [...this.fields].flatMap(([key, [node]]) => {
      const field = node && this.type.getFields()[node.name.value];
      const types = possibleTypes(this.source.schema, getNamedType(field?.type));
      return field && types.length > 0 ? [{ key, node, types, extensions: field.extensions }] : [];
    });
    return this.ownRelations;
  }

  /** The number of selected fields here and below; stops counting above `limit`. */
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

  private collect(set: SelectionSetNode, seen: Set<string>): void {
    for (const node of set.selections) {
      if (!isIncluded(node, this.source)) continue;
      if (node.kind === 'Field') {
        append(this.nodes, node.name.value, node);
        append(this.fields, (node.alias ?? node.name).value, node);
        continue;
      }
      const isSpread = node.kind === 'FragmentSpread';
      if (isSpread && seen.has(node.name.value)) continue;
      if (isSpread) seen.add(node.name.value);
      const fragment = isSpread ? this.source.fragments[node.name.value] : node;
      if (fragment && applies(this.source.schema, fragment.typeCondition?.name.value, this.type)) {
        this.collect(fragment.selectionSet, seen);
      }
    }
  }
}

function append(lists: Map<string, FieldNode[]>, key: string, node: FieldNode): void {
  const list = lists.get(key);
  if (list) list.push(node);
  else lists.set(key, [node]);
}

/** The selection of the root of an operation; null if the schema has no such root. */
export function rootSelection(source: SelectionSource, operation: OperationDefinitionNode): Selection | null {
  const root = source.schema.getRootType(operation.operation);
  return root ? new Selection(source, root, [operation]) : null;
}

export function possibleTypes(schema: GraphQLSchema, type: unknown): readonly GraphQLObjectType[] {
  if (type instanceof GraphQLObjectType) return [type];
  return isCompositeType(type) && isAbstractType(type) ? schema.getPossibleTypes(type) : [];
}

function isIncluded(node: SelectionNode, { variableValues }: SelectionSource): boolean {
  if (!node.directives || node.directives.length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
}

function applies(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  return condition === undefined || doTypesOverlap(schema, type, schema.getType(condition) as GraphQLCompositeType);
}

/** The property of a request's loaders with its plans; a weak map would cost more garbage collection. */
const plans = Symbol('plans');
type Plans = Map<FieldNode, { nodes: readonly FieldNode[]; plan: unknown }>;

type FieldPosition = Pick<GraphQLResolveInfo, 'fieldNodes'>;

/** Computes a field's plan once per request: its arguments and selection are the same for all parents. */
export function planOnce<Plan>(ctx: { loaders: object }, { fieldNodes }: FieldPosition, make: () => Plan): Plan {
  const holder = ctx.loaders as { [plans]?: Plans };
  holder[plans] ??= new Map();
  const known = holder[plans];
  const [first] = fieldNodes as [FieldNode];
  const cached = known.get(first);
  // a fragment's field may be merged with others in one place only
  if (cached && sameNodes(cached.nodes, fieldNodes)) return cached.plan as Plan;
  const plan = make();
  known.set(first, { nodes: fieldNodes, plan });
  return plan;
}

function sameNodes(a: readonly FieldNode[], b: readonly FieldNode[]): boolean {
  return a.length === b.length && a.every((node, index) => node === b[index]);
}

/** The columns that the selection below a field needs. */
export function answerColumns(ctx: { loaders: object }, info: GraphQLResolveInfo): string[] {
  return planOnce(ctx, info, () => Selection.answer(info).columns());
}
