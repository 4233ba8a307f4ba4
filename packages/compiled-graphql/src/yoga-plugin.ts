import {
  type DocumentNode,
  type ExecutionArgs,
  type FragmentDefinitionNode,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type AnswerBounds, type CompiledQuery, compileOperation } from './compile.ts';
import { WrittenAnswer } from './written-answer.ts';

interface Options extends AnswerBounds {
  /** The context for running a query again after a failure, with loaders that know no rows. */
  freshContext?(ctx: object): object;
}

/**
 * Runs queries as compiled functions from their second execution on, as long as Yoga keeps their documents. If one fails,
 * graphql-js runs it again, so that errors, nulls and their order are those of graphql-js.
 */
export function useCompiledQueries({ freshContext = (ctx) => ctx, ...bounds }: Options = {}): Plugin {
  /** Null for an operation that ran once, or cannot be compiled. */
  const known = new WeakMap<OperationDefinitionNode, CompiledQuery | null>();
  const compiledOf = ({ schema, document, operationName }: ExecutionArgs) => {
    const operation = getOperationAST(document, operationName);
    if (!operation) return null;
    const isSecond = known.has(operation);
    const compiled = known.get(operation) ?? (isSecond ? compile({ schema, document }, operation) : null);
    known.set(operation, compiled);
    return compiled && { run: compiled.run, operation };
  };
  const compile = ({ schema, document }: ExecutionArgs, operation: OperationDefinitionNode) =>
    compileOperation({ schema, fragments: fragmentsOf(document), plain: isPlain(document) }, operation, bounds);
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

function fragmentsOf({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((each) => [each.name.value, each]));
}

/** Whether a document has no directives, and no names that start with two underscores except `__typename`. */
function isPlain(document: DocumentNode): boolean {
  let plain = true;
  const refuse = () => {
    plain = false;
  };
  visit(document, {
    Directive: refuse,
    Name: ({ value }) => (value.startsWith('__') && value !== '__typename' ? refuse() : undefined),
  });
  return plain;
}
