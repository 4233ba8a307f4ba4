import { hash } from 'node:crypto';
import { type ExecutionResult, executeRootSelectionSet, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { type Context, Loaders } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { meansNoRoom } from '../../kernel/request.ts';
import type { Documents } from '../documents/documents.ts';
import { AnswerTooLarge, isResultTooLarge, isTextTooLarge, WrittenAnswer } from '../execution/answer.ts';
import type { KnownDocument, KnownOperation, OperationExecution } from '../execution/operation.ts';
import { type ErrorScope, executionError } from './errors.ts';
import type { GraphqlParams } from './params.ts';
import { streamedAnswers, subscriptionResults } from './subscription.ts';

/** Our part of the execution arguments: the context, and the prepared operation. */
interface ExecutionArguments {
  contextValue: Context;
  execution: OperationExecution;
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
        return subscriptionResults(execution, contextValue) as Promise<never>;
      });
    },
  };
}

/** Yoga's functions for one request. */
export type Enveloped = ReturnType<ReturnType<typeof createEngine>['getEnveloped']>;

/** An operation that passed all checks. */
export interface Ready extends OperationExecution {
  document: KnownDocument;
  params: GraphqlParams;
}

/**
 * @param whole whether the operation is atomic: it fails as a whole and then has no effect
 * @throws AnswerTooLarge, and what {@link requireRoom} throws
 */
export async function executeOperation(
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
export async function startSubscription(
  enveloped: Enveloped,
  ready: Ready,
  contextValue: Context,
  scope: ErrorScope,
): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
  const begun: ExecutionResult | AsyncIterable<ExecutionResult> = await enveloped.subscribe(
    argumentsOf(enveloped, ready, contextValue),
  );
  if (Symbol.asyncIterator in begun) return streamedAnswers(begun, ready.cost, scope);
  const [error] = begun.errors ?? [];
  throw error?.originalError ?? error;
}

function argumentsOf({ schema }: Enveloped, ready: Ready, contextValue: Context) {
  const { operationName, variables: variableValues } = ready.params;
  return { schema, document: ready.document, operationName, variableValues, contextValue, execution: ready };
}

/**
 * A query fails as a whole if the service is too busy for a part of it, so that a retry gets the complete result.
 *
 * @throws the failure, if it means SERVICE_UNAVAILABLE or RATE_LIMITED
 */
export function requireRoom(scope: ErrorScope, failure: unknown): void {
  if (meansNoRoom(scope.toDomainError(failure))) throw failure;
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
