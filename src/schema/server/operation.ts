import { type ExecutionResult, GraphQLError, type GraphQLSchema, validateExecutionArgs } from 'graphql';
import type { Context } from '../../engine/context.ts';
import { answerOnce } from '../../engine/idempotency/idempotency.ts';
import { onlyValue } from '../../http/framing.ts';
import { DomainError } from '../../kernel/errors.ts';
import { ClientGone } from '../../kernel/request.ts';
import { inTurn } from '../../kernel/turns/take-turn.ts';
import { Turns } from '../../kernel/turns/turns.ts';
import type { KnownDocument } from '../documents/document.ts';
import type { Documents } from '../documents/documents.ts';
import { AnswerTooLarge, isResultTooLarge, WrittenAnswer } from '../execution/answer.ts';
import { codedError } from '../execution/coded-error.ts';
import type { Execution } from '../execution/executor.ts';
import {
  type AccessHeaders,
  checkPresentedToken,
  countRootFields,
  neededRoles,
  requireAccess,
  takesKey,
  takesLargeInput,
} from './access.ts';
import { createEngine } from './engine.ts';
import { type ErrorScope, executionError, MethodRefused, refusal, requestError } from './errors.ts';
import type { GraphqlParams } from './params.ts';

/** A request for one operation, with everything that its checks need. */
export interface OperationRequest {
  params: GraphqlParams;
  method: string;
  headers: AccessHeaders;
  ctx: Context;
  scope: ErrorScope;
  /** Whether the body exceeds the usual limit, which only some operations may. */
  large?: boolean;
  /** The parts that a retry must repeat, and a callback for when a stored response is sent. */
  retry?: { asked: readonly (string | Buffer)[]; replayed(): void } | undefined;
}

/** Yoga's functions for one request. */
type Enveloped = ReturnType<ReturnType<typeof createEngine>['getEnveloped']>;

/**
 * Operations with more nodes, and documents with more tokens, count as expensive: thousands of nodes block the process for
 * 50 ms. Organizations take turns with them (note 0030).
 */
const cheap = { nodes: 500, tokens: 200 };

/**
 * Runs operations through Yoga's engine. The order of checks (interface/writes.md#order-of-checks): access, then the
 * document and the variables.
 */
export class OperationRunner {
  readonly engine: ReturnType<typeof createEngine>;
  readonly #documents: Documents;
  readonly #validating: Turns;
  readonly #executing: Turns;

  /** @param patience milliseconds that an expensive operation waits for its turn */
  constructor(schema: GraphQLSchema, documents: Documents, patience: number) {
    this.engine = createEngine(schema, documents);
    this.#documents = documents;
    const shares = { userShare: 100, organizationShare: 100, patience };
    this.#validating = new Turns({ connections: 1, ...shares });
    // one per organization, and two in total
    this.#executing = new Turns({ connections: 2, ...shares });
  }

  /** Runs an operation. Never throws: failures become errors of the result, with a hint for the HTTP status if needed. */
  async run(request: OperationRequest): Promise<ExecutionResult> {
    const { ctx, headers, scope, retry } = request;
    const enveloped = this.engine.getEnveloped(ctx);
    try {
      const ready = await this.#prepare(request, enveloped);
      const { operation, args } = ready;
      const contextValue = (await enveloped.contextFactory()) as Context;
      const given = operation.node.operation === 'mutation' ? headers['idempotency-key'] : undefined;
      if (retry && given && takesKey(operation, args.variableValues.coerced)) {
        return await this.#execute(ctx, ready, () => runOnce(request, enveloped, ready, retry, given));
      }
      return await this.#execute(ctx, ready, () => execute(enveloped, ready, contextValue, scope));
    } catch (error) {
      if (error instanceof AnswerTooLarge) return { errors: [requestError(scope, error)] };
      if (error instanceof Refused) return { errors: error.errors.map((each) => requestError(scope, each)) };
      return { errors: [refusal(scope, error)] };
    }
  }

  /** @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if an expensive operation does not get its turn in time */
  #execute<Result>(ctx: Context, { cost }: Ready, run: () => Promise<Result>): Promise<Result> {
    return cost <= cheap.nodes ? run() : inTurn(ctx, this.#executing, run);
  }

  /**
   * Makes all checks before execution.
   *
   * @throws Refused, DomainError
   */
  async #prepare(request: OperationRequest, enveloped: Enveloped): Promise<Ready> {
    const { params, method, headers, ctx, scope, large } = request;
    const found = this.#open(params, enveloped);
    const document = found instanceof Refused ? null : found;
    const operation = document?.operation(params.operationName) ?? null;
    if (method === 'GET' && operation && operation.node.operation !== 'query') {
      throw new MethodRefused('POST');
    }
    if (large && !(operation && takesLargeInput(operation))) throw new DomainError('PAYLOAD_TOO_LARGE');
    const access = operation && { ctx, headers, operation, variables: params.variables ?? {} };
    await checkPresentedToken(ctx, headers, access);
    if (found instanceof Refused) throw found;
    if (!document || !operation || !access) throw new Refused([unknownOperation(params)]);

    await requireAccess(access);
    const validate = () => enveloped.validate(enveloped.schema, document) as readonly GraphQLError[];
    const isCheap = document.faults !== null || document.tokens <= cheap.tokens;
    const faults = isCheap ? validate() : await inTurn(ctx, this.#validating, validate);
    if (faults.length > 0) throw new Refused(faults);
    if (deeperThan(params.variables, maxVariableDepth)) throw new Refused([tooDeep()]);
    const args = validateExecutionArgs({
      schema: enveloped.schema,
      document,
      contextValue: ctx,
      variableValues: params.variables,
      operationName: params.operationName,
    });
    if (!('schema' in args)) throw new Refused(args);
    const cost = operation.cost(args.variableValues);
    if (typeof cost !== 'number') throw new Refused([cost]);
    // not cached for clients that are not signed in, which could send any number of documents
    if (ctx.viewer || document.trusted) {
      operation.countRun();
      this.#documents.remember(document, params);
    }
    return { document, params, operation, args, cost, checkFailure: (failure) => requireRoom(scope, failure) };
  }

  #open(params: GraphqlParams, { parse }: Enveloped): KnownDocument | Refused {
    try {
      return parse(this.#documents.textOf(params)) as KnownDocument;
    } catch (error) {
      if (error instanceof GraphQLError) return new Refused([error]);
      throw error;
    }
  }
}

/** An operation that passed all checks. */
interface Ready extends Execution {
  document: KnownDocument;
  params: GraphqlParams;
}

/** The operation is refused, because of an invalid document or an exceeded limit. */
class Refused extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super('The operation is refused.');
    this.errors = errors;
  }
}

/**
 * @param whole whether the operation is atomic: it fails as a whole and then has no effect
 * @throws AnswerTooLarge, and what {@link requireRoom} throws
 */
async function execute(
  enveloped: Enveloped,
  ready: Ready,
  contextValue: Context,
  scope: ErrorScope,
  whole = ready.operation.node.operation === 'query',
): Promise<ExecutionResult> {
  const { document, params, cost } = ready;
  const { operationName, variables: variableValues } = params;
  const { schema } = enveloped;
  const args = { schema, document, operationName, variableValues, contextValue, execution: ready };
  const result: ExecutionResult = await enveloped.execute(args);
  if (result instanceof WrittenAnswer) return result;
  const answer: ExecutionResult = { data: result.data, extensions: { cost } };
  if (whole) {
    for (const { originalError } of result.errors ?? []) requireRoom(scope, originalError);
  }
  if (result.errors) answer.errors = result.errors.map((error) => executionError(scope, error));
  if (isResultTooLarge(answer)) throw new AnswerTooLarge({ executed: !whole });
  return answer;
}

/** Runs an operation with an idempotency key. It is then atomic: one error rolls back all mutations. */
async function runOnce(
  { ctx, scope }: OperationRequest,
  enveloped: Enveloped,
  ready: Ready,
  retry: NonNullable<OperationRequest['retry']>,
  given: readonly string[],
): Promise<ExecutionResult> {
  let failed: ExecutionResult | null = null;
  const { operation, args } = ready;
  const variables = args.variableValues.coerced;
  const writes = countRootFields(operation, variables);
  const asked = { key: onlyValue(given), request: retry.asked, writes, roles: neededRoles(operation, variables) };
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
function requireRoom(scope: ErrorScope, failure: unknown): void {
  const error = scope.toDomainError(failure);
  if (error instanceof ClientGone || (error instanceof DomainError && error.retryAfter !== undefined)) throw failure;
}

/** Far deeper than any valid input, and far too shallow to exhaust the stack when variables are traversed. */
const maxVariableDepth = 200;

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => deeperThan(each, levels - 1));
}

function tooDeep(): GraphQLError {
  return codedError('INVALID_QUERY', `The variables are nested more than ${maxVariableDepth} levels deep.`);
}

function unknownOperation({ operationName }: GraphqlParams): GraphQLError {
  if (operationName) return new GraphQLError('The document has no operation with this name.');
  return new GraphQLError('The document has no operation, or several and no `operationName` to choose one.');
}
