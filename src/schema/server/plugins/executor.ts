import { hash } from 'node:crypto';
import { type ExecutionResult, executeRootSelectionSet, GraphQLError } from 'graphql';
import { type KnownOperation, WrittenAnswer } from '#compiled-graphql';
import { type Context, Loaders } from '../../../engine/context.ts';
import { DomainError } from '../../../kernel/errors.ts';
import { AnswerTooLarge, maxAnswerBytes, type OperationExecution } from '../../execution/operation.ts';
import { presentResult, requireRoom } from './errors.ts';
import type { Served, ServedPlugin } from './served.ts';

export function useExecutor(): ServedPlugin {
  const executor = new Executor();
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(({ contextValue }) => answerOf(executor, contextValue as Served));
    },
  };
}

/** @throws AnswerTooLarge, and what {@link requireRoom} throws */
async function answerOf(executor: Executor, { ctx, scope, execution, atomic }: Served): Promise<ExecutionResult> {
  const result = await executor.execute(execution, ctx);
  if (result instanceof WrittenAnswer) return result;
  const isWhole = atomic || execution.operation.node.operation === 'query';
  if (isWhole) for (const { originalError } of result.errors ?? []) requireRoom(scope, originalError);
  const answer = presentResult(scope, result, execution.cost);
  if (isResultTooLarge(answer)) throw new AnswerTooLarge({ executed: !isWhole });
  return answer;
}

/** If a compiled query fails, graphql-js runs it again, so that errors, nulls and their order are always its own. */
export class Executor {
  #failures = 0;

  /** @param ctx the request, or its transaction; @throws AnswerTooLarge */
  async execute(execution: OperationExecution, ctx: Context): Promise<ExecutionResult> {
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

  /** The response does not show this failure: graphql-js may succeed, or fail in another way. */
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

/** @throws AnswerTooLarge */
function written(json: string, cost: number): WrittenAnswer {
  const text = `{"data":${json},"extensions":{"cost":${cost}}}`;
  if (isTextTooLarge(text)) throw new AnswerTooLarge();
  return new WrittenAnswer(text);
}

export function isTextTooLarge(text: string): boolean {
  // a UTF-16 unit takes one to three bytes; most texts are short enough in any case
  if (text.length * 3 <= maxAnswerBytes) return false;
  return text.length > maxAnswerBytes || Buffer.byteLength(text) > maxAnswerBytes;
}

export function isResultTooLarge(result: object): boolean {
  let characters = 0;
  // a string that occurs many times in a result is in memory once, but many times in the JSON
  const counted = (key: string, value: unknown) => {
    characters += key.length + (typeof value === 'string' ? value.length : 0);
    // far more, since positions in lists are keys as well
    if (characters > 4 * maxAnswerBytes) throw beyond;
    return value;
  };
  try {
    return isTextTooLarge(JSON.stringify(result, counted));
  } catch (error) {
    if (error !== beyond) throw error;
    return true;
  }
}

const beyond = new RangeError('The JSON is far too large.');

/** With empty loaders, so that errors occur in the usual order. */
function withoutRows(ctx: Context): Context {
  const fresh: Context = Object.create(ctx);
  fresh.loaders = new Loaders();
  return fresh;
}

/** The domain refused the input, or an argument has an invalid value. */
function isRefusal(failure: unknown): boolean {
  return failure instanceof DomainError || (failure instanceof GraphQLError && failure.nodes !== undefined);
}

/** Without the message, which may contain a client's value. */
function placeOf(failure: unknown): { type: string; at: string[] } {
  if (!(failure instanceof Error)) return { type: typeof failure, at: [] };
  const frames = (failure.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { type: failure.name, at: frames.slice(0, 5).map((line) => line.trim()) };
}
