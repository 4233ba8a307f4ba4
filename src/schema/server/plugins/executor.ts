import { hash } from 'node:crypto';
import {
  createSourceEventStream,
  type ExecutionResult,
  executeRootSelectionSet,
  executeSubscriptionEvent,
  GraphQLError,
  type ValidatedSubscriptionArgs,
} from 'graphql';
import { acceptsEvents } from '#bounded-http';
import { type Documents, type KnownOperation, WrittenAnswer } from '#compiled-graphql';
import { type Context, inStep, Loaders } from '../../../engine/context.ts';
import { DomainError } from '../../../kernel/errors.ts';
import { meansNoRoom } from '../../../kernel/request.ts';
import { inTurn, Turns } from '../../../kernel/turns/turns.ts';
import { codedError } from '../../execution/coded-error.ts';
import {
  AnswerTooLarge,
  isResultTooLarge,
  isTextTooLarge,
  type OperationExecution,
} from '../../execution/operation.ts';
import { presentResult, requestError, requireRoom } from './response.ts';
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

/** Executes each payload as a step of the request, so that it shows current data. */
export function useSubscriptions(): ServedPlugin {
  return {
    onContextBuilding({ context: { operation, incoming } }) {
      if (operation?.node.operation !== 'subscription' || acceptsEvents(incoming)) return;
      throw codedError('INVALID_QUERY', 'A subscription needs `Accept: text/event-stream`.');
    },
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn((args) => subscribe(args.contextValue as Served));
    },
  };
}

/** @throws the reason for a refusal */
async function subscribe({ ctx, scope, execution, inTurn }: Served): Promise<AsyncIterable<ExecutionResult>> {
  const args = execution.args as ValidatedSubscriptionArgs;
  const source = await createSourceEventStream({ ...args, contextValue: ctx });
  if (!(Symbol.asyncIterator in source)) {
    const [error] = source.errors ?? [];
    throw error?.originalError ?? error;
  }
  return payloads(source, async (rootValue) => {
    const result = await inTurn(() =>
      inStep(ctx, async (contextValue) => executeSubscriptionEvent({ ...args, contextValue, rootValue })),
    );
    const answer = presentResult(scope, result, execution.cost);
    return isResultTooLarge(answer) ? { errors: [requestError(scope, new AnswerTooLarge())] } : answer;
  });
}

/** Ends without room for a payload, or a client: the client resumes from its last cursor. */
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

/** More is expensive: thousands of nodes block the process for 50 ms. Organizations take turns (note 0030). */
const cheap = { nodes: 500, tokens: 200 };

/** Refuses with RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time. @param patience in milliseconds */
export function useTurns(documents: Documents, patience: number): ServedPlugin {
  const shares = { userShare: 100, organizationShare: 100, patience };
  const validating = new Turns({ connections: 1, ...shares });
  // one per organization, and two in total
  const executing = new Turns({ connections: 2, ...shares });
  return {
    onParams({ context: { ctx, operation } }) {
      const document = operation?.document;
      if (!document || document.errors !== null || document.tokens <= cheap.tokens) return;
      return inTurn(ctx, validating, () => void documents.validate(document));
    },
    onContextBuilding({ context: { ctx, execution }, extendContext }) {
      const isCheap = execution.cost <= cheap.nodes;
      extendContext({ inTurn: (work) => (isCheap ? work() : inTurn(ctx, executing, work)) });
    },
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args) => (args.contextValue as Served).inTurn(async () => executeFn(args)));
    },
  };
}
