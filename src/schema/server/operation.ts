import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  validateExecutionArgs,
} from 'graphql';
import type { Context } from '../../engine/context.ts';
import { answerOnce } from '../../engine/idempotency/idempotency.ts';
import { onlyValue } from '../../http/framing.ts';
import { ClientGone } from '../../kernel/client-waits.ts';
import { DomainError } from '../../kernel/errors.ts';
import { Executor, type Operation, type Outcome } from '../execution/executor.ts';
import {
  type AccessHeaders,
  checkPresentedToken,
  countRootFields,
  neededRoles,
  requireAccess,
  takesKey,
  takesLargeInput,
} from './access.ts';
import { AnswerTooLarge, isResultTooLarge, isTextTooLarge } from './answer-size.ts';
import { Costs } from './cost.ts';
import type { Documents } from './document.ts';
import { type ErrorScope, executionError, type GraphqlErrorCode, refusal, requestError } from './errors.ts';
import { OperationTurns } from './operation-turns.ts';
import type { GraphqlParams } from './params.ts';

/** One operation to run, and everything that its checks need. */
export interface OperationRequest {
  params: GraphqlParams;
  method: string;
  headers: AccessHeaders;
  ctx: Context;
  scope: ErrorScope;
  /** Whether the body is larger than those of most operations may be. */
  large?: boolean;
  /** The bytes of the request, and a callback if the response is that of an earlier request with the same key. */
  retry?: { asked: readonly (string | Buffer)[]; replayed(): void };
}

/** Runs operations. The order of checks is that of decisions §3: access, then the document and the variables. */
export class OperationRunner {
  private readonly schema: GraphQLSchema;
  private readonly documents: Documents;
  private readonly executor: Executor;
  private readonly costs = new Costs();
  private readonly turns: OperationTurns;

  /** @param patience milliseconds that an expensive operation waits for its turn */
  constructor(schema: GraphQLSchema, documents: Documents, patience: number) {
    this.turns = new OperationTurns(patience);
    this.schema = schema;
    this.documents = documents;
    this.executor = new Executor(schema, documents.compiledBytes);
  }

  /** Like {@link answer}, but never returns text. */
  async run(request: OperationRequest): Promise<ExecutionResult> {
    const answer = await this.answer(request);
    return typeof answer === 'string' ? JSON.parse(answer) : answer;
  }

  /**
   * The result, as JSON text if the executor returns that. Never throws: all failures are in the result's errors, with a
   * hint for the HTTP status if needed.
   */
  async answer(request: OperationRequest): Promise<ExecutionResult | string> {
    const { scope } = request;
    try {
      const ready = await this.prepare(request);
      if (!('args' in ready)) return ready;
      const { document, operation, variableValues } = ready.args;
      const { retry } = request;
      const given = operation.operation === 'mutation' ? request.headers['idempotency-key'] : undefined;
      if (retry && given && takesKey(this.schema, document, operation, variableValues.coerced)) {
        return await this.turns.execute(request.ctx, ready.cost, () => this.answerOnce(request, retry, ready, given));
      }
      return await this.turns.execute(request.ctx, ready.cost, async () => {
        const outcome = await this.executor.execute(ready, (failure) => requireRoom(scope, failure));
        return answerOf(outcome, ready, scope);
      });
    } catch (error) {
      if (error instanceof AnswerTooLarge) return { errors: [requestError(scope, error, 'INVALID_QUERY')] };
      return { errors: [refusal(scope, error)] };
    }
  }

  /** With an idempotency key an operation is atomic: one error rolls back the other mutations. */
  private async answerOnce(
    { ctx, scope }: OperationRequest,
    retry: NonNullable<OperationRequest['retry']>,
    ready: Ready,
    given: readonly string[],
  ): Promise<ExecutionResult | string> {
    let failed: ExecutionResult | null = null;
    const { writes, args } = ready;
    const roles = neededRoles(this.schema, args.document, args.operation, args.variableValues.coerced);
    const asked = { key: onlyValue(given), request: retry.asked, writes, roles };
    const { answer, replayed } = await answerOnce(ctx, asked, async (tx) => {
      const inTransaction = { ...ready, args: { ...args, contextValue: tx } };
      const outcome = await this.executor.execute(inTransaction, (failure) => requireRoom(scope, failure));
      const made = answerOf(outcome, ready, scope, true);
      failed = typeof made !== 'string' && made.errors ? { ...made, data: null } : null;
      const body = typeof made === 'string' ? made : JSON.stringify(made);
      return { answer: { outcome: 200, attributes: {}, body }, keep: failed === null };
    });
    if (replayed) retry.replayed();
    return failed ?? answer.body;
  }

  /** Everything before execution; returns a result if it refuses. */
  private async prepare({
    params,
    method,
    headers,
    ctx,
    scope,
    large,
  }: OperationRequest): Promise<Ready | ExecutionResult> {
    const refuse = (errors: readonly GraphQLError[], code: GraphqlErrorCode): ExecutionResult => ({
      errors: errors.map((error) => requestError(scope, error, code)),
    });
    const parsed = this.documents.find(params);
    const document = 'document' in parsed ? parsed.document : null;
    const operation = document && getOperationAST(document, params.operationName);
    if (method === 'GET' && operation && operation.operation !== 'query') {
      return { errors: [refusal(scope, new DomainError('METHOD_NOT_ALLOWED'), { allow: 'POST' })] };
    }
    if (large && !(document && operation && takesLargeInput(this.schema, document, operation))) {
      throw new DomainError('PAYLOAD_TOO_LARGE');
    }
    const variables = params.variables ?? {};
    const access = document && operation && { ctx, headers, schema: this.schema, document, operation, variables };
    await checkPresentedToken(ctx, headers, access ?? null);
    if ('fault' in parsed) return refuse([parsed.fault.error], parsed.fault.code);
    if (!document || !operation || !access) return refuse([unknownOperation(params)], 'GRAPHQL_VALIDATION_FAILED');

    await requireAccess(access);
    const tokens = this.documents.isChecked(document) ? 0 : parsed.tokens;
    const faults = await this.turns.validate(ctx, tokens, () => this.documents.faults(document));
    if (faults.length > 0) return { errors: faults.map(({ error, code }) => requestError(scope, error, code)) };
    if (deeperThan(params.variables, maxVariableDepth)) return refuse([tooDeep()], 'INVALID_QUERY');
    const args = validateExecutionArgs({
      schema: this.schema,
      document,
      contextValue: ctx,
      variableValues: params.variables,
      operationName: params.operationName,
    });
    if (!('schema' in args)) return refuse(args, 'GRAPHQL_VALIDATION_FAILED');
    const cost = this.costs.measure({ ...args, fragments: args.fragmentDefinitions });
    if (cost instanceof GraphQLError) return refuse([cost], 'INVALID_QUERY');
    // not cached for anonymous clients, who could send any number of documents
    if (ctx.viewer) this.documents.remember(parsed, params);
    const writes =
      operation.operation === 'mutation' ? countRootFields(document, operation, args.variableValues.coerced) : 0;
    return { parsed, args, cost, writes };
  }
}

/** An operation that may run. */
interface Ready extends Operation {
  cost: number;
  /** The number of mutations. */
  writes: number;
}

/**
 * @param whole whether the operation fails as a whole, and then leaves nothing
 * @throws AnswerTooLarge, and what {@link requireRoom} throws
 */
function answerOf(
  outcome: Outcome,
  { args, cost }: Ready,
  scope: ErrorScope,
  whole = args.operation.operation === 'query',
): ExecutionResult | string {
  if ('json' in outcome) {
    const text = `{"data":${outcome.json},"extensions":{"cost":${cost}}}`;
    if (isTextTooLarge(text)) throw new AnswerTooLarge();
    return text;
  }
  const answer: ExecutionResult = { data: outcome.data, extensions: { cost } };
  if (whole) {
    for (const { originalError } of outcome.errors ?? []) requireRoom(scope, originalError);
  }
  if (outcome.errors) answer.errors = outcome.errors.map((error) => executionError(scope, error));
  if (isResultTooLarge(answer)) throw new AnswerTooLarge({ executed: !whole });
  return answer;
}

/**
 * A query fails as a whole if there was no room for a part of it: a retry gets all of it.
 *
 * @throws the failure, if it means SERVICE_UNAVAILABLE or RATE_LIMITED
 */
function requireRoom(scope: ErrorScope, failure: unknown): void {
  const error = scope.toDomainError(failure);
  if (error instanceof ClientGone || (error instanceof DomainError && error.retryAfter !== undefined)) throw failure;
}

/** Far more than any input has, and far less than what exhausts the stack when variables are traversed. */
const maxVariableDepth = 200;

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => deeperThan(each, levels - 1));
}

function tooDeep(): GraphQLError {
  return new GraphQLError(`The variables are nested more than ${maxVariableDepth} levels deep.`);
}

function unknownOperation({ operationName }: GraphqlParams): GraphQLError {
  if (operationName) return new GraphQLError('The document has no operation with this name.');
  return new GraphQLError('The document has no operation, or several and no `operationName` to choose one.');
}
