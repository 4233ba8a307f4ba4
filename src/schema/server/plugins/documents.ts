import { GraphQLError } from 'graphql';
import type { Documents, KnownOperation } from '#compiled-graphql';
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
