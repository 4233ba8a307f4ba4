import type { GraphQLResolveInfo, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Context } from '../domain/context.ts';
import { RecentMap } from '../domain/recent-map.ts';
import type { WellFormedDocument } from './document.ts';
import { fragmentsOf, type RootSelections } from './selection.ts';
import { compileQuery, type QueryText } from './writer.ts';

/** An operation is compiled when it passes by here for this many-th time: what is asked once is not worth it. */
const compileAtRun = 2;
/** How many compiled operations are kept. */
const maxCompiled = 100;
/** How many fields an operation may have with its fragments opened at each of their places: each becomes a function. */
const maxFields = 1_000;

/**
 * Queries as functions: those that clients send over and over run without the executor's walk over the document. What is
 * compiled serves success only. As soon as anything goes wrong, the executor answers in its place, so that errors, nulls
 * and their order are the executor's.
 */
export class CompiledOperations {
  readonly #schema: GraphQLSchema;
  readonly #selections: RootSelections;
  readonly #runs = new WeakMap<OperationDefinitionNode, number>();
  /** Null where an operation cannot be compiled. */
  readonly #compiled = new RecentMap<OperationDefinitionNode, QueryText | null>(maxCompiled);

  constructor(schema: GraphQLSchema, selections: RootSelections) {
    this.#schema = schema;
    this.#selections = selections;
  }

  /**
   * The data of a query as JSON, or null where the executor must run it.
   *
   * @param parsed validated, and without faults
   * @param values coerced already
   */
  async run(
    parsed: WellFormedDocument,
    operation: OperationDefinitionNode,
    ctx: Context,
    values: GraphQLResolveInfo['variableValues'],
  ): Promise<string | null> {
    const query = this.#find(parsed, operation, ctx);
    if (!query) return null;
    try {
      return await query(ctx, values);
    } catch {
      // the executor begins anew: with rows that are there already, errors would come in another order
      ctx.loaders.clear();
      return null;
    }
  }

  #find(parsed: WellFormedDocument, operation: OperationDefinitionNode, ctx: Context): QueryText | null {
    const known = this.#compiled.get(operation);
    if (known !== undefined) return known;
    // nobody makes us compile who is not signed in, and what was dropped since waits as long again
    const runs = (this.#runs.get(operation) ?? (parsed.trusted ? compileAtRun - 1 : 0)) + 1;
    this.#runs.set(operation, runs);
    if (runs < compileAtRun || !(parsed.trusted || ctx.viewer)) return null;
    this.#runs.set(operation, 0);
    const query = parsed.plain && operation.operation === 'query' ? this.#compile(parsed, operation) : null;
    this.#compiled.set(operation, query);
    return query;
  }

  #compile({ document }: WellFormedDocument, operation: OperationDefinitionNode): QueryText | null {
    const fragments = fragmentsOf(document);
    const selection = this.#selections.of({ schema: this.#schema, fragments, operation });
    if (!selection || selection.size(maxFields) > maxFields) return null;
    return compileQuery({ schema: this.#schema, fragments, operation, selection });
  }
}
