import { type ExecutionResult, GraphQLError, type GraphQLSchema, validateExecutionArgs } from 'graphql';
import type { Context } from '../../engine/context.ts';
import { acceptsEvents } from '../../http/accepts-events.ts';
import { DomainError } from '../../kernel/errors.ts';
import { inTurn, Turns } from '../../kernel/turns/turns.ts';
import type { Usage } from '../../kernel/usage.ts';
import type { Documents } from '../documents/documents.ts';
import { AnswerTooLarge } from '../execution/answer.ts';
import { codedError } from '../execution/coded-error.ts';
import type { KnownDocument, KnownOperation, RootField } from '../execution/operation.ts';
import {
  type AccessHeaders,
  checkPresentedToken,
  commandsOf,
  countFields,
  requireAccess,
  takesLargeInput,
} from './access.ts';
import {
  createEngine,
  type Enveloped,
  executeOperation,
  type Ready,
  requireRoom,
  startSubscription,
} from './engine.ts';
import { type ErrorScope, MethodRefused, refusal, requestError } from './errors.ts';
import type { GraphqlParams } from './params.ts';
import { type Retry, runOnce } from './run-once.ts';

/** A request for one operation, with everything that its checks need. */
export interface OperationRequest {
  params: GraphqlParams;
  method: string;
  headers: AccessHeaders;
  ctx: Context;
  scope: ErrorScope;
  /** Whether the body exceeds the usual limit, which only some operations may. */
  large?: boolean;
  /** The media types that the client accepts. */
  accept?: string | undefined;
  retry?: Retry | undefined;
}

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

  /**
   * Runs an operation. Never throws: failures become errors of the result, with a hint for the HTTP status if needed.
   *
   * @returns the payloads of a subscription, one after the other
   */
  async run(request: OperationRequest): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
    const { ctx, headers, scope, retry } = request;
    const enveloped = this.engine.getEnveloped(ctx);
    try {
      const ready = await this.#prepare(request, enveloped);
      const { operation, args } = ready;
      const contextValue = (await enveloped.contextFactory()) as Context;
      if (operation.node.operation === 'subscription')
        return await startSubscription(enveloped, ready, contextValue, scope);
      const given = headers['idempotency-key'];
      if (retry && given && takesIdempotencyKey(operation, args.variableValues.coerced)) {
        return await this.#executeOperation(ctx, ready, () => runOnce(request, enveloped, ready, retry, given));
      }
      return await this.#executeOperation(ctx, ready, () => executeOperation(enveloped, ready, contextValue, scope));
    } catch (error) {
      if (error instanceof AnswerTooLarge) return { errors: [requestError(scope, error)] };
      if (error instanceof Refused) return { errors: error.errors.map((each) => requestError(scope, each)) };
      return { errors: [refusal(scope, error)] };
    }
  }

  /** @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if an expensive operation does not get its turn in time */
  #executeOperation<Result>(ctx: Context, { cost }: Ready, run: () => Promise<Result>): Promise<Result> {
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
    if (method === 'GET' && operation?.node.operation === 'mutation') throw new MethodRefused('POST');
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
    if (operation.node.operation === 'subscription' && !acceptsEvents(request.accept))
      throw new Refused([notStreamed()]);
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
    const roots = operation.rootFields(() => args.variableValues.coerced);
    noteUsage(ctx.usage, operation, roots, cost);
    const callsOut = roots.filter(({ extensions }) => extensions.command?.callsOut);
    if (countFields(callsOut) > 1) throw new Refused([severalCallsOut()]);
    // not cached for clients that are not signed in, which could send any number of documents
    if (ctx.viewer || document.trusted) {
      operation.countRun();
      this.#documents.remember(document, params);
    }
    return {
      document,
      params,
      operation,
      args,
      cost,
      checkFailure: (failure) => requireRoom(scope, failure),
      inTurn: (work) => (cost <= cheap.nodes ? work() : inTurn(ctx, this.#executing, work)),
    };
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

/**
 * Whether an operation accepts an `Idempotency-Key`: a mutation that neither changes the viewer's own account nor waits for
 * a server of somebody else.
 */
function takesIdempotencyKey(operation: KnownOperation, variables: Record<string, unknown>): boolean {
  if (operation.node.operation !== 'mutation') return false;
  return !commandsOf(operation.rootFields(() => variables)).some(({ ofAccount, callsOut }) => ofAccount || callsOut);
}

/** Notes what a valid operation is, in names that no client chooses: those of the schema, and of the operator's documents. */
function noteUsage(usage: Usage, { node, document }: KnownOperation, roots: readonly RootField[], cost: number): void {
  const type = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[node.operation];
  const names = new Set(roots.map((root) => root.node.name.value));
  names.delete('__typename');
  usage.rootFields = [...names].map((name) => `${type}.${name}`);
  const [first, second] = usage.rootFields;
  usage.operation = second === undefined ? (first ?? `${type}.__typename`) : `${type}.several`;
  if (document.trusted && node.name) usage.operation = `document.${node.name.value}`;
  usage.cost = cost;
}

/** The operation is refused, because of an invalid document or an exceeded limit. */
class Refused extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super('The operation is refused.');
    this.errors = errors;
  }
}

function notStreamed(): GraphQLError {
  return codedError('INVALID_QUERY', 'A subscription needs `Accept: text/event-stream`.');
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

function severalCallsOut(): GraphQLError {
  return codedError('INVALID_QUERY', 'An operation may test one webhook.');
}

function unknownOperation({ operationName }: GraphqlParams): GraphQLError {
  if (operationName) return new GraphQLError('The document has no operation with this name.');
  return new GraphQLError('The document has no operation, or several and no `operationName` to choose one.');
}
