import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from '../../engine/context.ts';
import { answerOnce } from '../../engine/idempotency/idempotency.ts';
import { onlyValue } from '../../http/framing.ts';
import { meansNoRoom } from '../../kernel/request.ts';
import type { Documents, KnownDocument } from '../documents/documents.ts';
import { AnswerTooLarge, isResultTooLarge, WrittenAnswer } from '../execution/answer.ts';
import { type Execution, Executor } from '../execution/executor.ts';
import { countRootFields, neededBy, showsSecret } from './access.ts';
import { type ErrorScope, executionError, requestError } from './errors.ts';
import type { GraphqlParams } from './params.ts';

/** Our part of the execution arguments: the context, and the prepared operation. */
interface ExecutionArguments {
  contextValue: Context;
  execution: Execution;
}

/**
 * Creates Yoga. Every operation passes through its engine, so that plugins see each one, but our own caching functions parse,
 * validate and execute. Yoga also serializes the results. We handle the HTTP requests ourselves (`handler.ts`), since Yoga
 * would build a URL from the client's host and target, and fail if it is invalid.
 */
export function createEngine(schema: GraphQLSchema, documents: Documents) {
  return createYoga({
    schema,
    plugins: [ourFunctions(documents, new Executor())],
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    // we cache documents ourselves, only for signed-in clients, and mask errors ourselves, since they depend on the request
    parserAndValidationCache: false,
    maskedErrors: false,
    logging: false,
  });
}

function ourFunctions(documents: Documents, executor: Executor): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((source) => documents.parse(source as string));
    },
    onValidate({ setValidationFn }) {
      setValidationFn((_schema, document, rules) => documents.validate(document as KnownDocument, rules));
    },
    onExecute({ setExecuteFn }) {
      setExecuteFn((args): Promise<ExecutionResult> => {
        const { execution, contextValue } = args as unknown as ExecutionArguments;
        return executor.execute(execution, contextValue);
      });
    },
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn((args) => {
        const { execution, contextValue } = args as unknown as ExecutionArguments;
        return executor.subscribe(execution, contextValue) as Promise<never>;
      });
    },
  };
}

/** Yoga's functions for one request. */
export type Enveloped = ReturnType<ReturnType<typeof createEngine>['getEnveloped']>;

/** The parts that a retry must repeat, and a callback for when a stored response is sent. */
export interface Retry {
  asked: readonly (string | Buffer)[];
  replayed(): void;
}

/** An operation that passed all checks. */
export interface Ready extends Execution {
  document: KnownDocument;
  params: GraphqlParams;
}

/**
 * @param whole whether the operation is atomic: it fails as a whole and then has no effect
 * @throws AnswerTooLarge, and what {@link requireRoom} throws
 */
export async function execute(
  enveloped: Enveloped,
  ready: Ready,
  contextValue: Context,
  scope: ErrorScope,
  whole = ready.operation.node.operation === 'query',
): Promise<ExecutionResult> {
  const { cost } = ready;
  const result: ExecutionResult = await enveloped.execute(argumentsOf(enveloped, ready, contextValue));
  if (result instanceof WrittenAnswer) return result;
  const answer: ExecutionResult = { data: result.data, extensions: { cost } };
  if (whole) {
    for (const { originalError } of result.errors ?? []) requireRoom(scope, originalError);
  }
  if (result.errors) answer.errors = result.errors.map((error) => executionError(scope, error));
  if (isResultTooLarge(answer)) throw new AnswerTooLarge({ executed: !whole });
  return answer;
}

/**
 * Begins a subscription.
 *
 * @throws what it is refused with, as any operation
 */
export async function subscribe(
  enveloped: Enveloped,
  ready: Ready,
  contextValue: Context,
  scope: ErrorScope,
): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
  const begun: ExecutionResult | AsyncIterable<ExecutionResult> = await enveloped.subscribe(
    argumentsOf(enveloped, ready, contextValue),
  );
  if (Symbol.asyncIterator in begun) return answers(begun, ready.cost, scope);
  const [error] = begun.errors ?? [];
  throw error?.originalError ?? error;
}

function argumentsOf({ schema }: Enveloped, ready: Ready, contextValue: Context) {
  const { operationName, variables: variableValues } = ready.params;
  return { schema, document: ready.document, operationName, variableValues, contextValue, execution: ready };
}

async function* answers(
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

/** Runs an operation with an idempotency key. It is then atomic: one error rolls back all mutations. */
export async function runOnce(
  { ctx, scope }: { ctx: Context; scope: ErrorScope },
  enveloped: Enveloped,
  ready: Ready,
  retry: Retry,
  given: readonly string[],
): Promise<ExecutionResult> {
  let failed: ExecutionResult | null = null;
  const { operation, args } = ready;
  const variables = args.variableValues.coerced;
  const writes = countRootFields(operation, variables);
  const asked = {
    key: onlyValue(given),
    request: retry.asked,
    writes,
    needs: neededBy(operation, variables),
    secret: showsSecret(operation, variables),
  };
  const { answer, replayed } = await answerOnce(ctx, asked, async (tx) => {
    const made = await execute(enveloped, ready, tx, scope, true);
    failed = made.errors ? { ...made, data: null } : null;
    return { answer: { outcome: 200, attributes: {}, body: JSON.stringify(made) }, keep: failed === null };
  });
  if (replayed) retry.replayed();
  return failed ?? new WrittenAnswer(answer.body);
}

/**
 * A query fails as a whole if the service is too busy for a part of it, so that a retry gets the complete result.
 *
 * @throws the failure, if it means SERVICE_UNAVAILABLE or RATE_LIMITED
 */
export function requireRoom(scope: ErrorScope, failure: unknown): void {
  if (meansNoRoom(scope.toDomainError(failure))) throw failure;
}
