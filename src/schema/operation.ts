import {
  type ExecutionResult,
  executeRootSelectionSet,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  type ValidatedExecutionArgs,
  validateExecutionArgs,
} from 'graphql';
import type { Context } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import { Loaders } from '../domain/loaders.ts';
import { type AccessHeaders, checkPresentedToken, requireAccess } from './access.ts';
import { CompiledOperations } from './compiled.ts';
import { Costs } from './cost.ts';
import type { Documents, WellFormedDocument } from './document.ts';
import { type ErrorScope, executionError, type GraphqlErrorCode, refusal, requestError } from './errors.ts';
import type { GraphqlParams } from './params.ts';

/** One operation to run, and all that decides whether it may. */
export interface OperationRequest {
  params: GraphqlParams;
  method: string;
  headers: AccessHeaders;
  ctx: Context;
  scope: ErrorScope;
}

/** Runs operations. The order of checks is that of decisions §3: access, then what the document and the variables are. */
export class OperationRunner {
  private readonly schema: GraphQLSchema;
  private readonly documents: Documents;
  private readonly compiled: CompiledOperations;
  private readonly costs = new Costs();

  constructor(schema: GraphQLSchema, documents: Documents) {
    this.schema = schema;
    this.documents = documents;
    this.compiled = new CompiledOperations(schema);
  }

  /** Never throws: whatever goes wrong is in the result's errors, with a hint for its HTTP status where it needs one. */
  async run(request: OperationRequest): Promise<ExecutionResult> {
    return this.refused(request, async () => {
      const ready = await this.prepare(request);
      return 'args' in ready ? execute(ready, request.scope) : ready;
    });
  }

  /** Like {@link run}, for whoever takes the answer of a compiled query as the text that it is. */
  async answer(request: OperationRequest): Promise<ExecutionResult | string> {
    return this.refused(request, async () => {
      const ready = await this.prepare(request);
      if (!('args' in ready)) return ready;
      const { parsed, operation, args, cost } = ready;
      const outcome = await this.compiled.run(parsed, operation, request.ctx, args.variableValues);
      if (outcome === 'not compiled') return execute(ready, request.scope);
      if (outcome !== 'failed') return `{"data":${outcome.data},"extensions":{"cost":${cost}}}`;
      return execute({ ...ready, args: { ...args, contextValue: anew(request.ctx) } }, request.scope);
    });
  }

  private async refused<Answer>(
    { scope }: OperationRequest,
    attempt: () => Promise<Answer>,
  ): Promise<Answer | ExecutionResult> {
    try {
      return await attempt();
    } catch (error) {
      return { errors: [refusal(scope, error)] };
    }
  }

  /** Everything that comes before execution; a result where it refuses. */
  private async prepare({ params, method, headers, ctx, scope }: OperationRequest): Promise<Ready | ExecutionResult> {
    const refuse = (errors: readonly GraphQLError[], code: GraphqlErrorCode): ExecutionResult => ({
      errors: errors.map((error) => requestError(scope, error, code)),
    });
    const parsed = this.documents.find(params);
    const document = 'document' in parsed ? parsed.document : null;
    const operation = document && getOperationAST(document, params.operationName);
    if (method === 'GET' && operation && operation.operation !== 'query') {
      return { errors: [refusal(scope, new DomainError('METHOD_NOT_ALLOWED'), { allow: 'POST' })] };
    }
    await checkPresentedToken(ctx, headers);
    if ('fault' in parsed) return refuse([parsed.fault.error], parsed.fault.code);
    if (!document || !operation) return refuse([unknownOperation(params)], 'GRAPHQL_VALIDATION_FAILED');

    await requireAccess({ ctx, headers, schema: this.schema, document, operation, variables: params.variables ?? {} });
    const faults = this.documents.faults(document);
    if (faults.length > 0) return { errors: faults.map(({ error, code }) => requestError(scope, error, code)) };
    if (ctx.viewer) this.documents.register(params);
    if (deeperThan(params.variables, maxVariableDepth)) return refuse([tooDeep()], 'INVALID_QUERY');
    const args = validateExecutionArgs({
      schema: this.schema,
      document,
      contextValue: ctx,
      variableValues: params.variables,
      operationName: params.operationName,
    });
    if (!('schema' in args)) return refuse(args, 'GRAPHQL_VALIDATION_FAILED');
    const cost = this.costs.measure(
      { ...args, fragments: args.fragmentDefinitions },
      this.compiled.selectionOf(operation),
    );
    if (cost instanceof GraphQLError) return refuse([cost], 'INVALID_QUERY');
    return { parsed, operation, args, cost };
  }
}

/** An operation that may run. */
interface Ready {
  parsed: WellFormedDocument;
  operation: OperationDefinitionNode;
  args: ValidatedExecutionArgs;
  cost: number;
}

async function execute({ args, cost }: Ready, scope: ErrorScope): Promise<ExecutionResult> {
  const { data, errors } = await executeRootSelectionSet(args);
  const answer: ExecutionResult = { data, extensions: { cost } };
  if (errors) answer.errors = errors.map((error) => executionError(scope, error));
  return answer;
}

/** The context for another run of a query: without the rows that are there already, errors come in the same order. */
function anew(ctx: Context): Context {
  const fresh: Context = Object.create(ctx);
  fresh.loaders = new Loaders(fresh);
  return fresh;
}

/** Far more than any input has, and far less than what exhausts the stack of whoever walks the variables. */
const maxVariableDepth = 200;

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => deeperThan(each, levels - 1));
}

function tooDeep(): GraphQLError {
  return new GraphQLError(`The variables are nested more than ${maxVariableDepth} levels deep.`);
}

function unknownOperation({ operationName }: GraphqlParams): GraphQLError {
  if (operationName) return new GraphQLError('The document has no operation of this name.');
  return new GraphQLError('The document has no operation, or several and no `operationName` that chooses one.');
}
