import {
  BREAK,
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type Location,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { isSkipped } from './arguments.ts';
import { type CompiledQuery, compileOperation } from './compile.ts';
import { measureCost } from './cost.ts';
import type { DocumentRules } from './rules.ts';
import { rootSelection } from './selection.ts';

/** The extensions of an unknown field are empty. */
export interface RootField<Extensions = object> {
  node: FieldNode;
  extensions: Extensions;
}

/** Compiling is not worth it for a single execution. */
const compileAtRun = 2;

export class KnownOperation {
  readonly node: OperationDefinitionNode;
  readonly document: KnownDocument;
  #runs: number;
  /** Null if the operation is new or cannot be compiled. */
  compiled: CompiledQuery | null = null;
  #roots: readonly RootField[] | null = null;

  constructor(document: KnownDocument, node: OperationDefinitionNode) {
    this.document = document;
    this.node = node;
    this.#runs = document.trusted ? compileAtRun - 1 : 0;
  }

  countRun(): void {
    if (this.#runs === compileAtRun) return;
    this.#runs += 1;
    if (this.#runs < compileAtRun) return;
    this.compiled = compileOperation(this.document, this.node, this.document.rules.compiled);
    this.document.bytes += this.compiled?.bytes ?? 0;
  }

  /** Uses only the document, so it works before validation. Visits each fragment once, which bounds the time. */
  rootFields<Extensions extends object>(variables: () => Record<string, unknown>): readonly RootField<Extensions>[] {
    const roots = this.#roots ?? this.#findRoots(variables);
    if (this.document.plain) this.#roots = roots;
    return roots as readonly RootField<Extensions>[];
  }

  #findRoots(variables: () => Record<string, unknown>): RootField[] {
    const { schema, fragments } = this.document;
    const declared = schema.getRootType(this.node.operation)?.getFields();
    const roots: RootField[] = [];
    const seen = new Set<string>();
    const pending: SelectionSetNode[] = [this.node.selectionSet];
    for (let set = pending.pop(); set; set = pending.pop()) {
      for (const node of set.selections) {
        if (isSkipped(node, variables)) continue;
        if (node.kind === 'Field') roots.push({ node, extensions: declared?.[node.name.value]?.extensions ?? {} });
        else if (node.kind === 'InlineFragment') pending.push(node.selectionSet);
        else {
          const fragment = seen.has(node.name.value) ? undefined : fragments[node.name.value];
          seen.add(node.name.value);
          if (fragment) pending.push(fragment.selectionSet);
        }
      }
    }
    return roots;
  }

  /** @throws GraphQLError INVALID_QUERY */
  cost(variableValues: GraphQLResolveInfo['variableValues']): number {
    const { schema, fragments, rules } = this.document;
    const source = { schema, fragments, variableValues };
    return measureCost(source, this.compiled?.selection ?? rootSelection(source, this.node), rules.maxCost);
  }
}

/** Measured memory of a document, in bytes: the text is copied, and each token creates two nodes with locations. */
const bytesOf = { document: 2_000, character: 4, token: 650 };

export class KnownDocument implements DocumentNode {
  readonly kind = Kind.DOCUMENT;
  readonly definitions: readonly DefinitionNode[];
  readonly loc: Location | undefined;
  readonly schema: GraphQLSchema;
  readonly source: string;
  readonly rules: DocumentRules;
  /** Whether it is in the operator's manifest. */
  readonly trusted: boolean;
  readonly tokens: number;
  /**
   * Whether it has no directives, so that its selections do not depend on variables, and no names that start with two
   * underscores (except `__typename`): these are introspection or, as aliases, special JavaScript properties.
   */
  readonly plain: boolean;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** The estimated memory of everything that is cached for it. */
  bytes: number;
  /** Null until it is validated. */
  errors: readonly GraphQLError[] | null = null;
  /** The size under which it was last cached. */
  rememberedBytes = 0;
  /** The hash under which a client has registered it. */
  registeredAs: string | null = null;
  readonly #operations = new Map<OperationDefinitionNode, KnownOperation>();

  /** @throws GraphQLSyntaxError */
  constructor(schema: GraphQLSchema, source: string, rules: DocumentRules, trusted: boolean) {
    const whole = parse(source, { maxLexicalTokens: rules.limits.tokens });
    const document = withoutRepetitions(whole);
    this.definitions = document.definitions;
    this.loc = document.loc;
    this.schema = schema;
    this.source = source;
    this.rules = rules;
    this.trusted = trusted;
    this.tokens = whole.tokenCount ?? 0;
    // every location in the document refers to all of its tokens
    this.bytes = bytesOf.document + source.length * bytesOf.character + this.tokens * bytesOf.token;
    this.plain = isPlain(document);
    this.fragments = fragmentsOf(this.definitions);
  }

  /** By name, or the only one. */
  operation(name: string | undefined): KnownOperation | null {
    const node = getOperationAST(this, name);
    if (!node) return null;
    const operation = this.#operations.get(node) ?? new KnownOperation(this, node);
    this.#operations.set(node, operation);
    return operation;
  }
}

function fragmentsOf(definitions: readonly DefinitionNode[]): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  // the first of each name; validation refuses duplicates
  for (const each of definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments[each.name.value] ??= each;
  return fragments;
}

/** Whether a document has no directives, and no names that start with two underscores except `__typename`. */
function isPlain(document: DocumentNode): boolean {
  let plain = true;
  const refuse = (): typeof BREAK => {
    plain = false;
    return BREAK;
  };
  visit(document, {
    Directive: refuse,
    Name: ({ value }) => (value.startsWith('__') && value !== '__typename' ? refuse() : undefined),
  });
  return plain;
}

/** Validation limits the pairs of fields with one response key, which documents within our own limits must not meet. */
function withoutRepetitions(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet: (set) => {
      const seen = new Set<string>();
      const selections = set.selections.filter((node) => {
        if (!isPlainLeaf(node)) return true;
        if (seen.has(node.name.value)) return false;
        seen.add(node.name.value);
        return true;
      });
      return selections.length < set.selections.length ? { ...set, selections } : undefined;
    },
  });
}

function isPlainLeaf(node: SelectionNode): node is FieldNode {
  if (node.kind !== 'Field' || node.alias || node.selectionSet) return false;
  return !node.arguments?.length && !node.directives?.length;
}
