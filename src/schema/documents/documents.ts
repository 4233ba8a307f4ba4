import { GraphQLError, type GraphQLSchema, specifiedRules, type ValidationRule, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { codedError, type GraphqlErrorCode } from '../execution/coded-error.ts';
import { KnownDocument } from './document.ts';
import { exceededLimits } from './limits.ts';

/** How a request names its document: by text, by id, or by both to register it. */
export interface DocumentName {
  query: string | null;
  documentId: string | null;
}

export interface DocumentOptions {
  /** The operator's documents, by id. */
  trusted?: ReadonlyMap<string, string>;
  /** Whether only these are served. */
  trustedOnly?: boolean;
  /** The memory limit of all that is remembered. */
  cacheBytes?: number;
}

/**
 * The documents that clients send, with one entry for each: clients send the same few again and again. What depends on a
 * request is not part of it.
 */
export class Documents {
  readonly #schema: GraphQLSchema;
  /** By text. */
  readonly #known: LRUCache<string, KnownDocument>;
  /** The texts that clients have registered (automatic persisted queries, Apollo's protocol), by their SHA-256. */
  readonly #registered = new Map<string, string>();
  readonly #trusted: ReadonlyMap<string, string>;
  readonly #trustedTexts: ReadonlySet<string>;
  readonly #trustedOnly: boolean;

  /** @throws Error that lists all invalid trusted documents */
  constructor(
    schema: GraphQLSchema,
    { trusted = new Map(), trustedOnly = false, cacheBytes = 32 * 1024 * 1024 }: DocumentOptions = {},
  ) {
    this.#schema = schema;
    this.#known = new LRUCache({
      maxSize: cacheBytes,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: ({ registeredAs }, _text, reason) => {
        // it is also deleted to be measured again
        if (registeredAs !== null && reason !== 'delete') this.#registered.delete(registeredAs);
      },
    });
    this.#trusted = trusted;
    this.#trustedTexts = new Set(trusted.values());
    this.#trustedOnly = trustedOnly;
    const faults = [...trusted].flatMap(([id, source]) => this.#faultsOf(source).map((fault) => `  ${id}: ${fault}`));
    if (faults.length > 0) throw new Error(`TRUSTED_DOCUMENTS: not all documents are valid:\n${faults.join('\n')}`);
  }

  /**
   * The text that a request sends or names.
   *
   * @throws GraphQLError PERSISTED_QUERY_NOT_FOUND, PERSISTED_QUERY_ONLY
   */
  textOf({ query, documentId }: DocumentName): string {
    const text = query ?? this.#named(documentId ?? '');
    if (this.#trustedOnly && (text === undefined || !this.#trustedTexts.has(text))) {
      throw codedError('PERSISTED_QUERY_ONLY', 'Only trusted documents are served here.');
    }
    if (text === undefined) throw codedError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
    return text;
  }

  /**
   * The document of a text: the one that is remembered, or a new one.
   *
   * @throws GraphQLError INVALID_QUERY, GRAPHQL_PARSE_FAILED
   */
  parse(source: string): KnownDocument {
    const known = this.#known.get(source);
    if (known) return known;
    try {
      return new KnownDocument(this.#schema, source, this.#trustedTexts.has(source));
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const tooLong = /^Syntax Error: Document contains more than \d+ tokens/.test(error.message);
      error.extensions.code = (tooLong ? 'INVALID_QUERY' : 'GRAPHQL_PARSE_FAILED') satisfies GraphqlErrorCode;
      throw error;
    }
  }

  /** All faults of a document; limits are checked first, so that no document is expensive to validate. */
  validate(document: KnownDocument, rules: readonly ValidationRule[] = specifiedRules): readonly GraphQLError[] {
    if (!document.faults) {
      const exceeded = exceededLimits(document);
      const faults = exceeded.length > 0 ? exceeded : validate(this.#schema, document, rules, { maxErrors: 20 });
      document.faults = faults;
    }
    return document.faults;
  }

  /**
   * Remembers a valid document, and its hash if the client sent that. To be called again once it takes more memory. The
   * first of several with the same text stays.
   */
  remember(document: KnownDocument, { query, documentId }: DocumentName): void {
    const { source } = document;
    const known = this.#known.peek(source) ?? document;
    if (known.rememberedBytes !== known.bytes || !this.#known.has(source)) {
      known.rememberedBytes = known.bytes;
      this.#known.delete(source);
      this.#known.set(source, known);
    }
    // one that is larger than the cache is not there
    if (!this.#known.has(source)) {
      if (known.registeredAs !== null) this.#registered.delete(known.registeredAs);
    } else if (query !== null && documentId !== null) {
      known.registeredAs = documentId;
      this.#registered.set(documentId, query);
    }
  }

  #named(id: string): string | undefined {
    const bare = id.replace(/^sha256:/, '');
    return (
      this.#trusted.get(id) ??
      this.#trusted.get(bare) ??
      this.#trusted.get(`sha256:${bare}`) ??
      this.#registered.get(bare)
    );
  }

  #faultsOf(source: string): string[] {
    try {
      const document = this.parse(source);
      const faults = this.validate(document);
      if (faults.length === 0) this.remember(document, { query: source, documentId: null });
      return faults.map(({ message }) => message);
    } catch (error) {
      return [(error as Error).message];
    }
  }
}
