import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from '../../engine/context.ts';
import type { KnownDocument } from '../documents/document.ts';
import type { Documents } from '../documents/documents.ts';
import { type Execution, Executor } from '../execution/executor.ts';

/** The arguments of an execution: those of any plugin, and what was found out about the operation before. */
interface ExecutionArguments {
  contextValue: Context;
  execution: Execution;
}

/**
 * Yoga, whose engine every operation passes through, so that its plugins see each one: documents are parsed, validated and
 * executed by our functions, which remember. Yoga writes the results as well. What it does with requests is ours to do
 * (`handler.ts`): it would build a URL from the client's host and target, and fail if that is invalid.
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
    // documents are remembered for those who are signed in, and errors depend on the request
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
  };
}
