import type { Request } from 'express';
import type { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../../engine/context.ts';
import type { Log } from '../../../kernel/request.ts';
import type { KnownOperation, OperationExecution, RootField } from '../../execution/operation.ts';

/** The parameters of a request, as in the GraphQL-over-HTTP specification. */
export interface GraphqlParams {
  /** The text of the document; null if only `documentId` identifies it. */
  query: string | null;
  /** The id of a persisted document: the specification's `documentId`, or the hash of Apollo's `persistedQuery`. */
  documentId: string | null;
  operationName: string | undefined;
  variables: Record<string, unknown> | undefined;
}

/** The parts of a request that converting an error needs. */
export interface ErrorScope {
  requestId: string;
  /** Where clients reach the service. */
  publicUrl: string;
  log: Log;
  /** Converts expected database failures, for example that the database is down. */
  toDomainError(error: unknown): unknown;
}

/** A request that Yoga serves, as its context: with what each plugin finds out for the next ones. */
export class Served {
  readonly incoming: Request;
  readonly ctx: Context;
  readonly scope: ErrorScope;
  asked!: GraphqlParams;
  /** Whether the body exceeds the usual limit, which only some operations may. */
  large = false;
  /** The raw body if the request has an `Idempotency-Key`, since the body of a retry must be the same. */
  body: Buffer | null = null;
  /** Null if the document is unknown or invalid. */
  operation: KnownOperation | null = null;
  /** Why there is no operation. */
  fault: GraphQLError | null = null;
  /** The operation once it has passed all checks. */
  execution!: OperationExecution;
  /** Its root fields that are not skipped. */
  roots!: readonly RootField[];
  /** Runs the operation, or a payload of a subscription, when it is its turn. */
  inTurn!: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Whether the operation fails as a whole, although it is a mutation. */
  atomic = false;

  constructor(incoming: Request, ctx: Context, scope: ErrorScope) {
    this.incoming = incoming;
    this.ctx = ctx;
    this.scope = scope;
  }
}

export type ServedPlugin = Plugin<Served, Served>;
