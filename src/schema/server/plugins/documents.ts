import { GraphQLError } from 'graphql';
import type { Documents } from '../../documents/documents.ts';
import type { KnownOperation } from '../../execution/operation.ts';
import type { Served, ServedPlugin } from './served.ts';

/**
 * Takes documents from our cache, in place of Yoga's: by their hash too, and only for signed-in clients. Yoga's own parse
 * and validation report their findings after the check of access (reference/writes.md#order-of-checks).
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
        context.fault = error;
      }
    },
    onParse({ context, setParsedDocument }) {
      setParsedDocument(operationOf(context).document);
    },
    // without rules of other plugins: the faults of a document are kept
    onValidate({ context, setResult }) {
      setResult(documents.validate(operationOf(context).document));
    },
    onContextBuilding({ context }) {
      const { ctx, asked } = context;
      const operation = operationOf(context);
      return () => {
        // not cached for clients that are not signed in, which could send any number of documents
        if (!ctx.viewer && !operation.document.trusted) return;
        operation.countRun();
        documents.remember(operation.document, asked);
      };
    },
  };
}

/** @throws GraphQLError */
export function operationOf({ operation, fault, asked }: Served): KnownOperation {
  if (operation) return operation;
  if (fault) throw fault;
  if (asked.operationName) throw new GraphQLError('The document has no operation with this name.');
  throw new GraphQLError('The document has no operation, or several and no `operationName` to choose one.');
}
