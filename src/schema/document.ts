import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  type SelectionNode,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { RecentMap } from '../domain/recent-map.ts';
import type { GraphqlErrorCode } from './errors.ts';
import { exceededLimits, limits } from './limits.ts';
import type { GraphqlParams } from './params.ts';
import { RegisteredDocuments } from './persisted.ts';

/** Why a document is refused. */
export interface DocumentFault {
  error: GraphQLError;
  code: GraphqlErrorCode;
}

/** A document as it was parsed. */
export interface WellFormedDocument {
  source: string;
  document: DocumentNode;
  /**
   * Whether it has neither directives, so that what it selects depends on no variable, nor names that begin with two
   * underscores (`__typename` apart), which are introspection or, as an alias, a name of JavaScript's own.
   */
  plain: boolean;
  /** Whether the operator's manifest names it. */
  trusted: boolean;
}

export type ParsedDocument = WellFormedDocument | { source: string; fault: DocumentFault };

/** How a request says which document it means: by its text, by its name, or by both to register it. */
export type DocumentName = Pick<GraphqlParams, 'query' | 'documentId'>;

export interface DocumentOptions {
  /** The operator's documents, by id. */
  trusted?: ReadonlyMap<string, string>;
  /** Whether no others are served. */
  trustedOnly?: boolean;
}

const notFound: ParsedDocument = {
  source: '',
  fault: { error: new GraphQLError('PersistedQueryNotFound'), code: 'PERSISTED_QUERY_NOT_FOUND' },
};

const notTrusted: ParsedDocument = {
  source: '',
  fault: { error: new GraphQLError('Only trusted documents are served here.'), code: 'PERSISTED_QUERY_ONLY' },
};

/** How many documents are remembered; longer ones than this many characters never are. */
const memory = { documents: 500, characters: 10_000 };

/**
 * Parses and validates documents against the schema and the limits, and remembers those it has seen: clients send the
 * same few over and over. What depends on variables is no matter of a document.
 */
export class Documents {
  private readonly schema: GraphQLSchema;
  private readonly parsed = new RecentMap<string, ParsedDocument>(memory.documents);
  private readonly checked = new WeakMap<DocumentNode, readonly DocumentFault[]>();
  private readonly registered = new RegisteredDocuments();
  private readonly trustedTexts = new Map<string, ParsedDocument>();
  private readonly trusted: ReadonlyMap<string, string>;
  private readonly trustedOnly: boolean;

  /** @throws Error that names every trusted document that is not valid */
  constructor(schema: GraphQLSchema, { trusted = new Map(), trustedOnly = false }: DocumentOptions = {}) {
    this.schema = schema;
    this.trusted = trusted;
    this.trustedOnly = trustedOnly;
    const faults = [...trusted].flatMap(([id, source]) => this.trust(source).map((fault) => `  ${id}: ${fault}`));
    if (faults.length > 0) throw new Error(`TRUSTED_DOCUMENTS: not all documents are valid:\n${faults.join('\n')}`);
  }

  /** The document that a request sends or names. */
  find(name: DocumentName): ParsedDocument {
    const source = this.textOf(name);
    if (this.trustedOnly && (source === undefined || !this.trustedTexts.has(source))) return notTrusted;
    return source === undefined ? notFound : this.parse(source);
  }

  /** Keeps a document that is valid, where the client has asked for it by naming its hash. */
  register({ query, documentId }: DocumentName): void {
    if (query !== null && documentId !== null) this.registered.add(documentId, query);
  }

  private textOf({ query, documentId }: DocumentName): string | undefined {
    return query ?? this.named(documentId ?? '');
  }

  private named(id: string): string | undefined {
    const bare = id.replace(/^sha256:/, '');
    return (
      this.trusted.get(id) ?? this.trusted.get(bare) ?? this.trusted.get(`sha256:${bare}`) ?? this.registered.find(bare)
    );
  }

  private trust(source: string): string[] {
    const parsed = parseDocument(source);
    if ('fault' in parsed) return [parsed.fault.error.message];
    this.trustedTexts.set(source, { ...parsed, trusted: true });
    return this.faults(parsed.document).map(({ error }) => error.message);
  }

  private parse(source: string): ParsedDocument {
    const trusted = this.trustedTexts.get(source);
    if (trusted) return trusted;
    const known = this.parsed.get(source);
    if (known) return known;
    const parsed = parseDocument(source);
    if (source.length <= memory.characters) this.parsed.set(source, parsed);
    return parsed;
  }

  /** Whether a document was parsed and validated before, and nothing was wrong with it. */
  isValid(name: DocumentName): boolean {
    const source = this.textOf(name) ?? '';
    const known = this.trustedTexts.get(source) ?? (this.trustedOnly ? undefined : this.parsed.peek(source));
    return known !== undefined && 'document' in known && this.checked.get(known.document)?.length === 0;
  }

  /** Every reason for which the document is refused; the limits come first, so that no document is costly to validate. */
  faults(document: DocumentNode): readonly DocumentFault[] {
    let faults = this.checked.get(document);
    if (!faults) {
      faults = exceededLimits(document).map((error) => ({ error, code: 'INVALID_QUERY' }));
      if (faults.length === 0) {
        faults = validate(this.schema, document, specifiedRules, { maxErrors: 20 }).map((error) => ({
          error,
          code: 'GRAPHQL_VALIDATION_FAILED',
        }));
      }
      this.checked.set(document, faults);
    }
    return faults;
  }
}

function parseDocument(source: string): ParsedDocument {
  try {
    const document = withoutRepetitions(parse(source, { maxLexicalTokens: limits.tokens }));
    return { source, document, plain: isPlain(document), trusted: false };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const tooLong = /^Syntax Error: Document contains more than \d+ tokens/.test(error.message);
    return { source, fault: { error, code: tooLong ? 'INVALID_QUERY' : 'GRAPHQL_PARSE_FAILED' } };
  }
}

/**
 * Drops leaves that a selection set names more than once, which changes no answer. Validation compares every two fields
 * of one response key and gives up after a while: a document within the limits must not fail for that.
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
