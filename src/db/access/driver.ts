import type { Socket } from 'node:net';
import pg, { type ClientBase, type Connection, type QueryResult, type Submittable } from 'pg';

// The undocumented and untyped parts of the driver that we use. Tests of statements, transactions and connections fail if one of them disappears.

export interface DriverClient {
  readonly host: string;
  readonly port: number;
  /** The process id of the backend, and the key that a cancel request must contain. */
  readonly processID: number;
  readonly secretKey: number;
  readonly connection: DriverConnection;
  /** Its parameters; `options` are those of the URL until we add ours. */
  readonly connectionParameters: { options?: string };
  /** Whether it sends statements without waiting for the answers to earlier ones. */
  readonly pipeline: boolean;
  /** Returns a promise of the result if there is no callback. */
  query(statement: unknown, ...rest: unknown[]): unknown;
  /** The query whose result is being received; none once it has ended or failed. */
  _getActiveQuery(): object | null | undefined;
}

export interface DriverConnection {
  readonly stream: Socket;
  /** The texts of its prepared statements, and of those that were sent but not answered yet, by name. */
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  attachListeners(stream: Socket): void;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: unknown[] }): void;
  execute(): void;
  close(message: { type: 'S'; name: string }): void;
  on(message: 'parameterStatus', listen: (message: { parameterName: string; parameterValue: string }) => void): void;
}

export type Row = Record<string, unknown>;
export type Result = Pick<QueryResult<Row>, 'command' | 'rowCount' | 'rows'>;
export type Settle = (error: Error | null | undefined, result?: Result) => void;

interface DriverQuery extends Submittable {
  name: string;
  queryMode: 'extended' | undefined;
  submit(connection: Connection): Error | null;
  readonly _result: Result;
  handleDataRow(message: { length: number }): void;
  handleCommandComplete(message: object, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

export const DriverQuery = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  settle: Settle | undefined,
) => DriverQuery;

export function driverOf(client: ClientBase): DriverClient {
  return client as unknown as DriverClient;
}

export function protocolOf(connection: Connection): DriverConnection {
  return connection as unknown as DriverConnection;
}
