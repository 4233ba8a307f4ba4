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
import { LRUCache } from 'lru-cache';
import type { GraphqlErrorCode } from '../server/errors.ts';
import type { GraphqlParams } from '../server/params.ts';
import { exceededLimits, limits } from './limits.ts';
import { RegisteredDocuments } from './persisted.ts';

/** Why a document is refused. */
export interface DocumentFault {
  error: GraphQLError;
  code: GraphqlErrorCode;
}

/** A parsed document. */
export interface WellFormedDocument {
  source: string;
  document: DocumentNode;
  /**
   * Whether it has no directives, so that its selection does not depend on variables, and no names that start with two
   * underscores (except `__typename`), which are introspection or, as an alias, special properties of JavaScript.
   */
  plain: boolean;
  /** Whether it is in the operator's manifest. */
  trusted: boolean;
  tokens: number;
  /** Its estimated memory. */
  bytes: number;
}

export type ParsedDocument = WellFormedDocument | { source: string; fault: DocumentFault };

/** How a request names its document: by text, by id, or by both to register it. */
export type DocumentName = Pick<GraphqlParams, 'query' | 'documentId'>;

export interface DocumentOptions {
  /** The operator's documents, by id. */
  trusted?: ReadonlyMap<string, string>;
  /** Whether only these are served. */
  trustedOnly?: boolean;
  /** The memory limit of cached documents and everything derived from them. */
  cacheBytes?: number;
}

const notFound: ParsedDocument = {
  source: '',
  fault: { error: new GraphQLError('PersistedQueryNotFound'), code: 'PERSISTED_QUERY_NOT_FOUND' },
};

const notTrusted: ParsedDocument = {
  source: '',
  fault: { error: new GraphQLError('Only trusted documents are served here.'), code: 'PERSISTED_QUERY_ONLY' },
};

/** Shares of the memory for parsed documents, texts by hash, and compiled operations. */
const shares = { parsed: 1 / 2, texts: 1 / 8, compiled: 3 / 8 };

/** Measured memory of a document: its text is copied, and a token creates two nodes with locations. */
const bytesOf = { document: 2_000, character: 4, token: 650 };

/**
 * Parses and validates documents against the schema and the limits, and caches them on request, since clients send the same
 * few again and again. Checks that depend on variables are not part of it.
 */
export class Documents {
  private readonly schema: GraphQLSchema;
  private readonly remembered: LRUCache<string, WellFormedDocument>;
  private readonly checked = new WeakMap<DocumentNode, readonly DocumentFault[]>();
  private readonly registered: RegisteredDocuments;
  private readonly trustedTexts = new Map<string, ParsedDocument>();
  private readonly trusted: ReadonlyMap<string, string>;
  private readonly trustedOnly: boolean;
  /** The share of the memory for compiled operations. */
  readonly compiledBytes: number;

  /** @throws Error that lists all invalid trusted documents */
  constructor(
    schema: GraphQLSchema,
    { trusted = new Map(), trustedOnly = false, cacheBytes = 32 * 1024 * 1024 }: DocumentOptions = {},
  ) {
    this.schema = schema;
    this.remembered = new LRUCache({ maxSize: cacheBytes * shares.parsed, sizeCalculation: ({ bytes }) => bytes });
    this.registered = new RegisteredDocuments(cacheBytes * shares.texts);
    this.compiledBytes = cacheBytes * shares.compiled;
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

  /**
   * Caches a document that was served to a signed-in user, and its text by hash if the client sent the hash.
   */
  remember(parsed: WellFormedDocument, { query, documentId }: DocumentName): void {
    if (!parsed.trusted) this.remembered.set(parsed.source, parsed);
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
    return this.trustedTexts.get(source) ?? this.remembered.get(source) ?? parseDocument(source);
  }

  /** Whether a document is cached and valid. */
  isValid(name: DocumentName): boolean {
    const source = this.textOf(name) ?? '';
    return this.trustedTexts.has(source) || (!this.trustedOnly && this.remembered.has(source));
  }

  /** Whether it was already validated, so that its faults are known. */
  isChecked(document: DocumentNode): boolean {
    return this.checked.has(document);
  }

  /** All faults of the document; limits are checked first, so that no document is expensive to validate. */
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
    const whole = parse(source, { maxLexicalTokens: limits.tokens });
    const document = withoutRepetitions(whole);
    const { tokenCount: tokens = 0 } = whole;
    // every location in the document refers to all of its tokens
    const bytes = bytesOf.document + source.length * bytesOf.character + tokens * bytesOf.token;
    return { source, document, plain: isPlain(document), trusted: false, tokens, bytes };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const tooLong = /^Syntax Error: Document contains more than \d+ tokens/.test(error.message);
    return { source, fault: { error, code: tooLong ? 'INVALID_QUERY' : 'GRAPHQL_PARSE_FAILED' } };
  }
}

/**
 * Removes repeated leaf fields of a selection set, which does not change the result. Validation compares all pairs of fields
 * with the same response key and gives up at some point; a document within the limits must not fail because of that.
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
