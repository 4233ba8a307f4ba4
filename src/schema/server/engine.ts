import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from '../../engine/context.ts';
import type { KnownDocument } from '../documents/document.ts';
import type { Documents } from '../documents/documents.ts';
import { type Execution, Executor } from '../execution/executor.ts';

/** Our part of the execution arguments: the context, and the prepared operation. */
interface ExecutionArguments {
  contextValue: Context;
  execution: Execution;
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
        return executor.subscribe(execution, contextValue) as Promise<never>;
      });
    },
  };
}
