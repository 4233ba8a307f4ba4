import type { Request } from 'express';
import type { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { KnownOperation } from '#compiled-graphql';
import type { Context } from '../../../engine/context.ts';
import type { Log } from '../../../kernel/request.ts';
import type { OperationExecution, Root } from '../../execution/operation.ts';

/** As in the GraphQL-over-HTTP specification. */
export interface GraphqlParams {
  /** Null if only `documentId` identifies it. */
  query: string | null;
  /** The specification's `documentId`, or the hash of Apollo's `persistedQuery`. */
  documentId: string | null;
  operationName: string | undefined;
  variables: Record<string, unknown> | undefined;
}

/** What converting an error needs. */
export interface ErrorScope {
  requestId: string;
  publicUrl: string;
  log: Log;
  /** Converts expected database failures, for example that the database is down. */
  toDomainError(error: unknown): unknown;
}

/** The context of a request in Yoga; each plugin adds its findings. */
export interface Served {
  readonly incoming: Request;
  readonly ctx: Context;
  readonly scope: ErrorScope;
  asked: GraphqlParams;
  /** Whether the body exceeds the usual limit, which only some operations may. */
  large?: boolean;
  /** Set if the request has an `Idempotency-Key`, since a retry must have the same body. */
  body?: Buffer;
  /** Absent if the document is unknown or invalid; null if it has no such operation. */
  operation?: KnownOperation | null;
  /** Why there is no operation. */
  documentError?: GraphQLError;
  /** Set once the operation has passed all checks. */
  execution: OperationExecution;
  /** Those that are not skipped, one for each response key. */
  roots: readonly Root[];
  /** Waits for the turn of the operation, or of a payload of a subscription. */
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** The operation fails as a whole, although it is a mutation. */
  atomic?: true;
}

export type ServedPlugin = Plugin<Served, Served>;
