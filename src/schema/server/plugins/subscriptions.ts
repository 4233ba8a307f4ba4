import {
  createSourceEventStream,
  type ExecutionResult,
  executeSubscriptionEvent,
  type ValidatedSubscriptionArgs,
} from 'graphql';
import { inStep } from '../../../engine/context.ts';
import { meansNoRoom } from '../../../kernel/request.ts';
import { AnswerTooLarge } from '../../execution/operation.ts';
import { presentResult, requestError } from './errors.ts';
import { isResultTooLarge } from './executor.ts';
import type { Served, ServedPlugin } from './served.ts';

/** Executes each payload as a step of the request, so that it shows current data. */
export function useSubscriptions(): ServedPlugin {
  return {
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
