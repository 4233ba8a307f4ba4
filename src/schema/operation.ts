import {
  type ExecutionResult,
  executeRootSelectionSet,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  validateExecutionArgs,
} from 'graphql';
import type { Context } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import { type AccessHeaders, checkPresentedToken, requireAccess } from './access.ts';
import { CompiledOperations } from './compiled.ts';
import { Costs } from './cost.ts';
import type { Documents } from './document.ts';
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
    try {
      return await this.attempt(request);
    } catch (error) {
      return { errors: [refusal(request.scope, error)] };
    }
  }

  private async attempt({ params, method, headers, ctx, scope }: OperationRequest): Promise<ExecutionResult> {
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
    const args = validateExecutionArgs({
      schema: this.schema,
      document,
      contextValue: ctx,
      variableValues: params.variables,
      operationName: params.operationName,
    });
    if (!('schema' in args)) return refuse(args, 'GRAPHQL_VALIDATION_FAILED');
    const cost = this.costs.measure({ ...args, fragments: args.fragmentDefinitions }, !parsed.plain);
    if (cost instanceof GraphQLError) return refuse([cost], 'INVALID_QUERY');

    const compiled = await this.compiled.run(parsed, operation, ctx, args.variableValues);
    if (compiled) return { data: compiled, extensions: { cost } };
    const { data, errors } = await executeRootSelectionSet(args);
    const answer: ExecutionResult = { data, extensions: { cost } };
    if (errors) answer.errors = errors.map((error) => executionError(scope, error));
    return answer;
  }
}

function unknownOperation({ operationName }: GraphqlParams): GraphQLError {
  if (operationName) return new GraphQLError('The document has no operation of this name.');
  return new GraphQLError('The document has no operation, or several and no `operationName` that chooses one.');
}
