import {
  coerceInputLiteral,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

type VariableValues = GraphQLResolveInfo['variableValues'];

/** An operation without what the compiler gets wrong. */
export interface CompilableOperation {
  /** The operation and its fragments. Each argument is a variable, and variables are of any type. */
  document: DocumentNode;
  /** The values of these variables; null where one of them is not valid, which the executor then says. */
  variables(values: VariableValues): Record<string, unknown> | null;
}

/** How many selections an operation may have with each fragment opened wherever it is spread. */
const maxOpened = 2_000;

/**
 * Prepares an operation for the compiler (graphql-jit), which
 * - writes literals into its code, where some texts become code themselves;
 * - takes a variable within a list or an object for null where it is left out;
 * - does not come to an end with the types of variables that contain themselves, as filters do.
 *
 * So it gets no literals, but variables in their place, and those without types: the executor's own functions coerce
 * all of them before.
 *
 * @param document validated, without directives, and without names that begin with two underscores
 * @returns null for what it must not compile
 */
export function compilable(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompilableOperation | null {
  const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  const own: DocumentNode = { ...document, definitions: [operation, ...fragments] };
  if (openedSize(own, operation) > maxOpened || hasAmbiguousKeys(own)) return null;
  const literals = new Literals(schema);
  const lifted = literals.lift(own);
  const names = [
    ...(operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
    ...literals.names,
  ];
  const untyped = {
    ...(lifted.definitions[0] as OperationDefinitionNode),
    variableDefinitions: names.map(anyVariable),
  };
  return {
    document: { ...lifted, definitions: [untyped, ...lifted.definitions.slice(1)] },
    variables: (values) => literals.among(values),
  };
}

/** The literals of a document, which variables stand for. */
class Literals {
  private readonly schema: GraphQLSchema;
  /** Those that are the same each time. */
  private readonly fixed: Record<string, unknown> = Object.create(null);
  /** Those that have variables within. */
  private readonly open: { name: string; value: ValueNode; type: GraphQLInputType }[] = [];

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  get names(): string[] {
    return [...Object.keys(this.fixed), ...this.open.map(({ name }) => name)];
  }

  lift(document: DocumentNode): DocumentNode {
    const types = new TypeInfo(this.schema);
    let count = 0;
    const visitor = visitWithTypeInfo(types, {
      Argument: (node) => {
        if (node.value.kind === Kind.VARIABLE) return undefined;
        // no client's variable is called so
        const name = `__${count}`;
        count += 1;
        this.add(name, node.value, types.getInputType() as GraphQLInputType);
        return { ...node, value: { kind: Kind.VARIABLE, name: nameNode(name) } };
      },
    });
    return visit(document, visitor);
  }

  /** All variables; without a prototype, so that none is there that was left out. */
  among(values: VariableValues): Record<string, unknown> | null {
    const all: Record<string, unknown> = Object.assign(Object.create(null), values.coerced, this.fixed);
    for (const { name, value, type } of this.open) {
      const coerced = coerceInputLiteral(value, type, values);
      if (coerced === undefined) return null;
      all[name] = coerced;
    }
    return all;
  }

  private add(name: string, value: ValueNode, type: GraphQLInputType): void {
    const coerced = hasVariables(value) ? undefined : coerceInputLiteral(value, type);
    if (coerced === undefined) this.open.push({ name, value, type });
    else this.fixed[name] = coerced;
  }
}

function hasVariables(value: ValueNode): boolean {
  let found = false;
  visit(value, {
    Variable: () => {
      found = true;
    },
  });
  return found;
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}

function anyVariable(name: string): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: nameNode(name) },
    type: { kind: Kind.NAMED_TYPE, name: nameNode('JSON') },
  };
}

/**
 * The compiler walks over all of a fragment wherever it is spread, even where another spread has opened it already:
 * thirty fragments that spread the next one twice each are a thousand million selections.
 */
function openedSize(document: DocumentNode, operation: OperationDefinitionNode): number {
  const sets = new Map<string, SelectionSetNode>();
  for (const each of document.definitions) {
    if (each.kind === Kind.FRAGMENT_DEFINITION) sets.set(each.name.value, each.selectionSet);
  }
  const sizes = new Map<string, number>();
  const ofSet = (set: SelectionSetNode): number => {
    let size = 0;
    for (const node of set.selections) {
      size += 1;
      if (node.kind === Kind.FRAGMENT_SPREAD) size += ofFragment(node.name.value);
      else if (node.selectionSet) size += ofSet(node.selectionSet);
    }
    return size;
  };
  const ofFragment = (name: string): number => {
    const set = sets.get(name);
    const size = sizes.get(name) ?? (set ? ofSet(set) : 0);
    sizes.set(name, size);
    return size;
  };
  return ofSet(operation.selectionSet);
}

/**
 * The compiler tells fields apart by the keys above them, joined by underscores: a field `b_a` would be taken for the
 * field `b` in `a`.
 */
function hasAmbiguousKeys(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field: ({ alias }) => {
      if (alias?.value.includes('_')) found = true;
    },
  });
  return found;
}
