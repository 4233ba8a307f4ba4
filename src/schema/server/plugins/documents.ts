import { GraphQLError, type GraphQLSchema, validateExecutionArgs } from 'graphql';
import type { Documents, KnownOperation } from '#compiled-graphql';
import type { FieldExtensions } from '../../builder/field-extensions.ts';
import { codedError } from '../../execution/coded-error.ts';
import { countFields } from '../../execution/operation.ts';
import { variableTypes } from '../../execution/variable-types.ts';
import { requireRoom } from './response.ts';
import type { Served, ServedPlugin } from './served.ts';

/**
 * Replaces Yoga's cache: also by hash, and only for signed-in clients. Errors of the document are reported after the
 * check of access (reference/writes.md#order-of-checks).
 */
export function useDocuments(documents: Documents): ServedPlugin {
  return {
    onParams({ context, params, setParams }) {
      try {
        const query = documents.textOf(context.asked);
        if (query !== params.query) setParams({ ...params, query });
        context.operation = documents.parse(query).operation(params.operationName);
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        context.documentError = error;
      }
    },
    onParse({ context, setParsedDocument }) {
      setParsedDocument(operationOf(context).document);
    },
    // without other plugins' rules, so that a document's errors can be kept
    onValidate({ context, setResult }) {
      setResult(documents.validate(operationOf(context).document));
    },
    onContextBuilding({ context }) {
      const { ctx, asked } = context;
      const operation = operationOf(context);
      return () => {
        // clients that are not signed in could send any number of documents
        if (!ctx.viewer && !operation.document.trusted) return;
        operation.countRun();
        documents.remember(operation.document, asked);
      };
    },
  };
}

/** @throws GraphQLError */
export function operationOf({ operation, documentError, asked }: Served): KnownOperation {
  if (operation) return operation;
  if (documentError) throw documentError;
  if (asked.operationName) throw new GraphQLError('The document has no operation with this name.');
  throw new GraphQLError('The document has no operation, or several and no `operationName` to choose one.');
}

/** Coerces the variables, and refuses an operation that would cost too much with them. */
export function useCost(schema: GraphQLSchema): ServedPlugin {
  const variableSchema = variableTypes(schema);
  return {
    onContextBuilding({ context, extendContext }) {
      const { ctx, scope, asked } = context;
      const operation = operationOf(context);
      if (deeperThan(asked.variables, maxVariableDepth)) {
        throw codedError('INVALID_QUERY', `The variables are nested more than ${maxVariableDepth} levels deep.`);
      }
      const validated = validateExecutionArgs({
        schema: variableSchema,
        document: operation.document,
        contextValue: ctx,
        variableValues: asked.variables,
        operationName: asked.operationName,
      });
      if (!('schema' in validated)) throw new AggregateError(validated);
      const args = { ...validated, schema };
      const cost = operation.cost(args.variableValues);
      const roots = operation.rootFields<FieldExtensions>(() => args.variableValues.coerced);
      const callsOut = roots.filter(({ extensions }) => extensions.command?.callsOut);
      if (countFields(callsOut) > 1) throw codedError('INVALID_QUERY', 'An operation may test one webhook.');
      const checkFailure = (failure: unknown) => requireRoom(scope, failure);
      extendContext({ execution: { operation, args, cost, checkFailure }, roots });
    },
  };
}

/** Deeper than any valid input, but too shallow to exhaust the stack. */
const maxVariableDepth = 200;

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => deeperThan(each, levels - 1));
}
