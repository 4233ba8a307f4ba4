import type { GraphQLResolveInfo, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Context } from '../domain/context.ts';
import { RecentMap } from '../domain/recent-map.ts';
import type { WellFormedDocument } from './document.ts';
import { fragmentsOf, rootSelection, type Selection } from './selection.ts';
import { compileQuery, type QueryText } from './writer.ts';

/** An operation is compiled when it passes by here for this many-th time: what is asked once is not worth it. */
const compileAtRun = 2;
/** How many compiled operations are kept. */
const maxCompiled = 100;
/** How many fields an operation may have with its fragments opened at each of their places: each becomes a function. */
const maxFields = 250;

interface Compiled {
  query: QueryText;
  selection: Selection;
}

/**
 * Queries as functions: those that clients send over and over run without the executor's walk over the document. What is
 * compiled serves success only. As soon as anything goes wrong, the executor answers in its place, so that errors, nulls
 * and their order are the executor's.
 */
export class CompiledOperations {
  readonly #schema: GraphQLSchema;
  readonly #runs = new WeakMap<OperationDefinitionNode, number>();
  /** Null where an operation cannot be compiled. */
  readonly #compiled = new RecentMap<OperationDefinitionNode, Compiled | null>(maxCompiled);

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** What a compiled operation selects of the root. */
  selectionOf(operation: OperationDefinitionNode): Selection | null {
    return this.#compiled.peek(operation)?.selection ?? null;
  }

  /**
   * The data of a query as JSON, or else why the executor must run it: because it is not compiled, or something failed.
   * What has failed may still go on for a while, with the loaders of its context.
   *
   * @param parsed validated, and without faults
   * @param values coerced already
   */
  async run(
    parsed: WellFormedDocument,
    operation: OperationDefinitionNode,
    ctx: Context,
    values: GraphQLResolveInfo['variableValues'],
  ): Promise<{ data: string } | 'not compiled' | 'failed'> {
    const compiled = this.#find(parsed, operation, ctx);
    if (!compiled) return 'not compiled';
    try {
      return { data: await compiled.query(ctx, values) };
    } catch {
      return 'failed';
    }
  }

  #find(parsed: WellFormedDocument, operation: OperationDefinitionNode, ctx: Context): Compiled | null {
    const known = this.#compiled.get(operation);
    if (known !== undefined) return known;
    // nobody makes us compile who is not signed in, and what was dropped since waits as long again
    const runs = (this.#runs.get(operation) ?? (parsed.trusted ? compileAtRun - 1 : 0)) + 1;
    this.#runs.set(operation, runs);
    if (runs < compileAtRun || !(parsed.trusted || ctx.viewer)) return null;
    this.#runs.set(operation, 0);
    const compiled = parsed.plain && operation.operation === 'query' ? this.#compile(parsed, operation) : null;
    this.#compiled.set(operation, compiled);
    return compiled;
  }

  #compile({ document }: WellFormedDocument, operation: OperationDefinitionNode): Compiled | null {
    const selection = rootSelection({ schema: this.#schema, fragments: fragmentsOf(document) }, operation);
    if (!selection || selection.size(maxFields) > maxFields) return null;
    return { query: compileQuery(this.#schema, selection), selection };
  }
}
