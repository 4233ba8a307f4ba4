import {
  createSourceEventStream,
  type ExecutionResult,
  executeSubscriptionEvent,
  type ValidatedSubscriptionArgs,
} from 'graphql';
import { type Context, inStep } from '../../engine/context.ts';
import { meansNoRoom } from '../../kernel/request.ts';
import { AnswerTooLarge, isResultTooLarge } from '../execution/answer.ts';
import type { OperationExecution } from '../execution/operation.ts';
import { type ErrorScope, executionError, requestError } from './errors.ts';

/**
 * Begins a subscription. Each of its payloads is executed as a step of the request, so that it shows the present.
 *
 * @returns a result with errors if it is refused
 */
export async function subscriptionResults(
  { args, inTurn }: OperationExecution,
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

/** The results as the client gets them, with their cost and their errors. */
export async function* streamedAnswers(
  results: AsyncIterable<ExecutionResult>,
  cost: number,
  scope: ErrorScope,
): AsyncGenerator<ExecutionResult, void> {
  for await (const { data, errors } of results) {
    const answer: ExecutionResult = { data, extensions: { cost } };
    if (errors) answer.errors = errors.map((error) => executionError(scope, error));
    yield isResultTooLarge(answer) ? { errors: [requestError(scope, new AnswerTooLarge())] } : answer;
  }
}
