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
import type { GraphqlErrorCode } from './errors.ts';
import { exceededLimits, limits } from './limits.ts';

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
}

export type ParsedDocument = WellFormedDocument | { source: string; fault: DocumentFault };

/** How many documents are remembered; longer ones than this many characters never are. */
const memory = { documents: 500, characters: 10_000 };

/**
 * Parses and validates documents against the schema and the limits, and remembers those it has seen: clients send the
 * same few over and over. What depends on variables is no matter of a document.
 */
export class Documents {
  private readonly schema: GraphQLSchema;
  private readonly parsed = new Map<string, ParsedDocument>();
  private readonly checked = new WeakMap<DocumentNode, readonly DocumentFault[]>();

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  parse(source: string): ParsedDocument {
    const known = this.parsed.get(source);
    if (known) {
      // the one used longest ago is forgotten first
      this.parsed.delete(source);
      this.parsed.set(source, known);
      return known;
    }
    const parsed = parseDocument(source);
    if (source.length <= memory.characters) {
      this.parsed.set(source, parsed);
      const [oldest] = this.parsed.keys();
      if (this.parsed.size > memory.documents && oldest !== undefined) this.parsed.delete(oldest);
    }
    return parsed;
  }

  /** Whether a document was parsed and validated before, and nothing was wrong with it. */
  isValid(source: string): boolean {
    const known = this.parsed.get(source);
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
    return { source, document, plain: isPlain(document) };
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
