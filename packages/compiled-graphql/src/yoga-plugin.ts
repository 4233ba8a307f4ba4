import { type ExecutionArgs, getOperationAST, getVariableValues, type OperationDefinitionNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type AnswerBounds, type CompiledQuery, compileOperation } from './compile.ts';
import { fragmentsOf, isPlain } from './document.ts';
import { WrittenAnswer } from './written-answer.ts';

interface Options extends AnswerBounds {
  /** The context for running a query again after a failure, with empty loaders. */
  freshContext?(ctx: object): object;
}

/**
 * Runs queries as compiled functions from their second execution on, while Yoga keeps their documents. If one fails, graphql-js
 * runs it again, so that errors and nulls are those of graphql-js.
 */
export function useCompiledQueries({ freshContext = (ctx) => ctx, ...bounds }: Options = {}): Plugin {
  /** Undefined for an operation that ran once, null for one that cannot be compiled. */
  const known = new WeakMap<OperationDefinitionNode, CompiledQuery | null | undefined>();
  const compiledOf = ({ schema, document, operationName }: ExecutionArgs) => {
    const operation = getOperationAST(document, operationName);
    if (!operation) return null;
    let compiled = known.get(operation);
    if (compiled === undefined && known.has(operation)) compiled = compile({ schema, document }, operation);
    known.set(operation, compiled);
    return compiled && { run: compiled.run, operation };
  };
  const compile = ({ schema, document }: ExecutionArgs, operation: OperationDefinitionNode) =>
    compileOperation(
      { schema, fragments: fragmentsOf(document.definitions), plain: isPlain(document) },
      operation,
      bounds,
    );
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const compiled = compiledOf(args);
      if (!compiled) return;
      const declared = compiled.operation.variableDefinitions ?? [];
      const { variableValues } = getVariableValues(args.schema, declared, args.variableValues ?? {});
      if (!variableValues) return;
      setExecuteFn(async () => {
        try {
          return new WrittenAnswer(`{"data":${await compiled.run(args.contextValue, variableValues)}}`);
        } catch {
          return await executeFn({ ...args, contextValue: freshContext(args.contextValue) });
        }
      });
    },
  };
}
