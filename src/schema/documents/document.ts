import {
  BREAK,
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type Location,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  visit,
} from 'graphql';
import type { DocumentFacts } from '../execution/document-facts.ts';
import { KnownOperation } from '../execution/operation.ts';
import { limits } from './limits.ts';

/** Measured memory of a document, in bytes: the text is copied, and each token creates two nodes with locations. */
const bytesOf = { document: 2_000, character: 4, token: 650 };

/** A parsed document, with everything that is cached for it. */
export class KnownDocument implements DocumentNode, DocumentFacts {
  readonly kind = Kind.DOCUMENT;
  readonly definitions: readonly DefinitionNode[];
  readonly loc: Location | undefined;
  readonly schema: GraphQLSchema;
  readonly source: string;
  readonly trusted: boolean;
  readonly tokens: number;
  readonly plain: boolean;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  bytes: number;
  /** Its validation errors; null until it is validated. */
  faults: readonly GraphQLError[] | null = null;
  /** The size under which it was last added to the cache. */
  rememberedBytes = 0;
  /** The hash under which a client has registered it. */
  registeredAs: string | null = null;
  readonly #operations = new Map<OperationDefinitionNode, KnownOperation>();

  /** @throws GraphQLSyntaxError */
  constructor(schema: GraphQLSchema, source: string, trusted: boolean) {
    const whole = parse(source, { maxLexicalTokens: limits.tokens });
    const { definitions, loc } = withoutRepetitions(whole);
    this.definitions = definitions;
    this.loc = loc;
    this.schema = schema;
    this.source = source;
    this.trusted = trusted;
    this.tokens = whole.tokenCount ?? 0;
    // every location in the document refers to all of its tokens
    this.bytes = bytesOf.document + source.length * bytesOf.character + this.tokens * bytesOf.token;
    this.plain = isPlain(this);
    this.fragments = fragmentsOf(definitions);
  }

  /** The operation of this name, or the only one; null if there is none. */
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

/**
 * Removes repeated leaf fields from selection sets, which does not change the result. Validation compares all pairs of fields
 * with the same response key, up to a limit; a document within our own limits must not fail because of that one.
 */
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

function isPlainLeaf(node: SelectionNode): node is FieldNode {
  if (node.kind !== 'Field' || node.alias || node.selectionSet) return false;
  return !node.arguments?.length && !node.directives?.length;
}
