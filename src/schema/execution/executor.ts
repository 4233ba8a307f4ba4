import { createHash } from 'node:crypto';
import {
  type ExecutionResult,
  executeRootSelectionSet,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidatedExecutionArgs,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../engine/context.ts';
import { Loaders } from '../../engine/loaders.ts';
import { DomainError } from '../../kernel/errors.ts';
import { rootSelection } from '../builder/selection.ts';
import type { WellFormedDocument } from '../documents/documents.ts';
import { AnswerTooLarge } from './answer-size.ts';
import { type CompiledQuery, compileQuery } from './compile.ts';

/** An operation is compiled at its second execution: a single one is not worth it. */
const compileAtRun = 2;
/** Measured memory of a field of a compiled operation, which also refers to its document. */
const bytesOfField = 3_000;
/** The maximum number of fields with all fragments expanded, since each becomes a function. */
const maxFields = 250;

/** An operation that may run. */
export interface Operation {
  parsed: WellFormedDocument;
  args: ValidatedExecutionArgs;
}

/** The result of an operation; already JSON if the operation was compiled and nothing failed. */
export type Outcome = ExecutionResult | { json: string };

interface Compiled {
  query: CompiledQuery;
  bytes: number;
}

/**
 * Executes operations. Repeated queries run compiled. A compiled query serves success only: if anything fails, graphql-js
 * executes the query instead, so that errors, nulls and their order are always those of graphql-js.
 */
export class Executor {
  readonly #schema: GraphQLSchema;
  readonly #runs = new WeakMap<OperationDefinitionNode, number>();
  readonly #uncompilable = new WeakSet<OperationDefinitionNode>();
  readonly #compiled: LRUCache<OperationDefinitionNode, Compiled>;
  #failures = 0;

  /** @param maxBytes the memory limit of compiled operations */
  constructor(schema: GraphQLSchema, maxBytes: number) {
    this.#schema = schema;
    this.#compiled = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  /**
   * @param checkFailure throws errors that end the whole operation, which graphql-js would only repeat
   * @throws AnswerTooLarge
   */
  async execute(ready: Operation, checkFailure: (failure: unknown) => void = () => undefined): Promise<Outcome> {
    const { args } = ready;
    const ctx = args.contextValue as Context;
    const compiled = this.#find(ready);
    if (!compiled) return executeRootSelectionSet(args);
    try {
      return { json: await compiled.query(ctx, args.variableValues) };
    } catch (error) {
      if (error instanceof AnswerTooLarge) throw error;
      checkFailure(error);
      if (!isRefusal(error)) this.#report(ready, error);
      // parts of the failed run may still be running, with the loaders of its context
      const result = await executeRootSelectionSet({ ...args, contextValue: withoutRows(ctx) });
      if (!result.errors) ctx.log.error({ err: error }, 'a compiled query failed, and graphql-js did not');
      return result;
    }
  }

  /** Logs and counts a failure that the response does not show: graphql-js may succeed, or fail in another way. */
  #report({ parsed, args }: Operation, failure: unknown): void {
    const ctx = args.contextValue as Context;
    this.#failures += 1;
    ctx.log.warn(
      {
        requestId: ctx.client.requestId,
        document: createHash('sha256').update(parsed.source).digest('hex'),
        failures: this.#failures,
        ...placeOf(failure),
      },
      'a compiled operation failed',
    );
  }

  #find(ready: Operation): Compiled | null {
    const { parsed, args } = ready;
    const { operation } = args;
    const known = this.#compiled.get(operation);
    if (known) return known;
    if (this.#uncompilable.has(operation)) return null;
    // nothing is compiled for anonymous clients, and an evicted query is compiled at its second run again
    const runs = (this.#runs.get(operation) ?? (parsed.trusted ? compileAtRun - 1 : 0)) + 1;
    this.#runs.set(operation, runs);
    if (runs < compileAtRun || !(parsed.trusted || (args.contextValue as Context).viewer)) return null;
    this.#runs.set(operation, 0);
    const compiled = parsed.plain && operation.operation === 'query' ? this.#compile(ready) : null;
    if (compiled) this.#compiled.set(operation, compiled);
    else this.#uncompilable.add(operation);
    return compiled;
  }

  #compile({ parsed, args }: Operation): Compiled | null {
    const { operation, fragmentDefinitions: fragments } = args;
    const selection = rootSelection({ schema: this.#schema, fragments }, operation);
    const fields = selection?.size(maxFields) ?? 0;
    if (!selection || fields > maxFields) return null;
    return { query: compileQuery(this.#schema, selection), bytes: parsed.bytes + fields * bytesOfField };
  }
}

/** A context for another run of a query, without loaded rows, so that errors come in the same order. */
function withoutRows(ctx: Context): Context {
  const fresh: Context = Object.create(ctx);
  fresh.loaders = new Loaders();
  return fresh;
}

/** Whether a query failed because of its input: the domain refused it, or an argument has an invalid value. */
function isRefusal(failure: unknown): boolean {
  return failure instanceof DomainError || (failure instanceof GraphQLError && failure.nodes !== undefined);
}

/** The origin of a failure, without its message, which may contain a value. */
function placeOf(failure: unknown): { type: string; at: string[] } {
  if (!(failure instanceof Error)) return { type: typeof failure, at: [] };
  const frames = (failure.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { type: failure.name, at: frames.slice(0, 5).map((line) => line.trim()) };
}
