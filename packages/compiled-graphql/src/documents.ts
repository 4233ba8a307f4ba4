import { GraphQLError, type GraphQLSchema, specifiedRules, type ValidationRule, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { KnownDocument } from './known-document.ts';
import { exceededLimits } from './limits.ts';
import { codedError, type DocumentRules } from './rules.ts';

/** By text, by id, or by both to register it. */
export interface DocumentName {
  query: string | null;
  documentId: string | null;
}

export interface DocumentOptions {
  /** The operator's documents, by id. */
  trusted?: ReadonlyMap<string, string>;
  trustedOnly?: boolean;
  /** By default 32 MiB. */
  cacheBytes?: number;
}

/** Caches documents, since clients send the same few again and again. Nothing in it depends on a request. */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #rules: DocumentRules;
  /** By text. */
  readonly #known: LRUCache<string, KnownDocument>;
  /** Texts by SHA-256 (automatic persisted queries, Apollo's protocol). */
  readonly #registered = new Map<string, string>();
  readonly #trusted: ReadonlyMap<string, string>;
  readonly #trustedTexts: ReadonlySet<string>;
  readonly #trustedOnly: boolean;

  /** @throws Error with all errors of the trusted documents */
  constructor(
    schema: GraphQLSchema,
    rules: DocumentRules,
    { trusted = new Map(), trustedOnly = false, cacheBytes = 32 * 1024 * 1024 }: DocumentOptions = {},
  ) {
    this.#schema = schema;
    this.#rules = rules;
    this.#known = new LRUCache({
      maxSize: cacheBytes,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: ({ registeredAs }, _text, reason) => {
        // 'delete' is our own: the entry is added again with its new size
        if (registeredAs !== null && reason !== 'delete') this.#registered.delete(registeredAs);
      },
    });
    this.#trusted = trusted;
    this.#trustedTexts = new Set(trusted.values());
    this.#trustedOnly = trustedOnly;
    const errors = [...trusted].flatMap(([id, source]) => this.#errorsOf(source).map((error) => `  ${id}: ${error}`));
    if (errors.length > 0) throw new Error(`Not all trusted documents are valid:\n${errors.join('\n')}`);
  }

  /** @throws GraphQLError PERSISTED_QUERY_NOT_FOUND, PERSISTED_QUERY_ONLY */
  textOf({ query, documentId }: DocumentName): string {
    const text = query ?? this.#named(documentId ?? '');
    if (this.#trustedOnly && (text === undefined || !this.#trustedTexts.has(text))) {
      throw codedError('PERSISTED_QUERY_ONLY', 'Only trusted documents are accepted.');
    }
    if (text === undefined) throw codedError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
    return text;
  }

  /** @throws GraphQLError INVALID_QUERY, GRAPHQL_PARSE_FAILED */
  parse(source: string): KnownDocument {
    const known = this.#known.get(source);
    if (known) return known;
    try {
      return new KnownDocument(this.#schema, source, this.#rules, this.#trustedTexts.has(source));
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const tooLong = /^Syntax Error: Document contains more than \d+ tokens/.test(error.message);
      error.extensions.code = tooLong ? 'INVALID_QUERY' : 'GRAPHQL_PARSE_FAILED';
      throw error;
    }
  }

  /** Limits are checked first, so that no document is expensive to validate. */
  validate(document: KnownDocument, rules: readonly ValidationRule[] = specifiedRules): readonly GraphQLError[] {
    if (!document.errors) {
      const exceeded = exceededLimits(document, this.#rules.limits);
      document.errors = exceeded.length > 0 ? exceeded : validate(this.#schema, document, rules, { maxErrors: 20 });
    }
    return document.errors;
  }

  /** Caches a valid document, and registers its hash if sent. Call it again when the document has grown. */
  remember(document: KnownDocument, { query, documentId }: DocumentName): void {
    const { source } = document;
    const known = this.#known.peek(source) ?? document;
    if (known.rememberedBytes !== known.bytes || !this.#known.has(source)) {
      known.rememberedBytes = known.bytes;
      this.#known.delete(source);
      this.#known.set(source, known);
    }
    // a document larger than the whole cache was not added
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

  #errorsOf(source: string): string[] {
    try {
      const document = this.parse(source);
      const errors = this.validate(document);
      if (errors.length === 0) this.remember(document, { query: source, documentId: null });
      return errors.map(({ message }) => message);
    } catch (error) {
      return [(error as Error).message];
    }
  }
}
