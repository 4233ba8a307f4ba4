import { hash } from 'node:crypto';
import {
  createSourceEventStream,
  type ExecutionResult,
  executeRootSelectionSet,
  executeSubscriptionEvent,
  GraphQLError,
  type ValidatedExecutionArgs,
  type ValidatedSubscriptionArgs,
} from 'graphql';
import { type Context, inStep, Loaders } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { meansNoRoom } from '../../kernel/request.ts';
import { AnswerTooLarge, isTextTooLarge, WrittenAnswer } from './answer.ts';
import type { KnownOperation } from './operation.ts';

/** A validated operation. */
export interface Execution {
  operation: KnownOperation;
  args: ValidatedExecutionArgs;
  cost: number;
  /** Rethrows errors that fail the whole operation, for which retrying with graphql-js is useless. */
  checkFailure(failure: unknown): void;
  /** Runs one payload of a subscription when it is its turn: an expensive one waits as an expensive query does. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * Executes operations. Compiled queries are used only for success: if anything fails, graphql-js executes the query again, so
 * that errors, nulls and their order are always those of graphql-js.
 */
export class Executor {
  #failures = 0;

  /**
   * @param ctx the request, or its transaction
   * @throws AnswerTooLarge
   */
  async execute(execution: Execution, ctx: Context): Promise<ExecutionResult> {
    const { operation, args, cost, checkFailure } = execution;
    const { compiled } = operation;
    if (!compiled) return executeRootSelectionSet({ ...args, contextValue: ctx });
    try {
      return written(await compiled.run(ctx, args.variableValues), cost);
    } catch (error) {
      if (error instanceof AnswerTooLarge) throw error;
      checkFailure(error);
      if (!isRefusal(error)) this.#report(operation, ctx, error);
      // parts of the failed run may still be running with the loaders of this context
      const result = await executeRootSelectionSet({ ...args, contextValue: withoutRows(ctx) });
      if (!result.errors) ctx.log.error({ err: error }, 'a compiled query failed, but graphql-js succeeded');
      return result;
    }
  }

  /**
   * Begins a subscription. Each of its payloads is executed as a step of the request, so that it shows the present.
   *
   * @returns a result with errors if it is refused
   */
  async subscribe(
    { args, inTurn }: Execution,
    ctx: Context,
  ): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
    const subscription = args as ValidatedSubscriptionArgs;
    const source = await createSourceEventStream({ ...subscription, contextValue: ctx });
    if (!(Symbol.asyncIterator in source)) return source;
    return payloads(source, (rootValue) =>
      inTurn(() =>
        inStep(ctx, async (contextValue) => executeSubscriptionEvent({ ...subscription, contextValue, rootValue })),
      ),
    );
  }

  /** Logs and counts a failure that the response does not show: graphql-js may succeed, or fail in another way. */
  #report({ document }: KnownOperation, ctx: Context, failure: unknown): void {
    this.#failures += 1;
    ctx.log.warn(
      {
        requestId: ctx.client.requestId,
        document: hash('sha256', document.source, 'hex'),
        failures: this.#failures,
        ...placeOf(failure),
      },
      'a compiled operation failed',
    );
  }
}

/** Ends where there is no room for a payload, or no client: the client comes back with its last cursor. */
async function* payloads(
  source: AsyncIterable<unknown>,
  execute: (rootValue: unknown) => Promise<ExecutionResult>,
): AsyncGenerator<ExecutionResult, void> {
  try {
    for await (const rootValue of source) yield await execute(rootValue);
  } catch (error) {
    if (!meansNoRoom(error)) throw error;
  }
}

/** @throws AnswerTooLarge */
function written(json: string, cost: number): WrittenAnswer {
  const text = `{"data":${json},"extensions":{"cost":${cost}}}`;
  if (isTextTooLarge(text)) throw new AnswerTooLarge();
  return new WrittenAnswer(text);
}

/** A context with empty loaders for running a query again, so that errors occur in the usual order. */
function withoutRows(ctx: Context): Context {
  const fresh: Context = Object.create(ctx);
  fresh.loaders = new Loaders();
  return fresh;
}

/** Whether a query failed because of its input: the domain refused it, or an argument has an invalid value. */
function isRefusal(failure: unknown): boolean {
  return failure instanceof DomainError || (failure instanceof GraphQLError && failure.nodes !== undefined);
}

/** Where a failure happened; without the message, which may contain a client's value. */
function placeOf(failure: unknown): { type: string; at: string[] } {
  if (!(failure instanceof Error)) return { type: typeof failure, at: [] };
  const frames = (failure.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { type: failure.name, at: frames.slice(0, 5).map((line) => line.trim()) };
}
