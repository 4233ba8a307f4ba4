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
  connect(port: number | string, host?: string): void;
  cancel(processID: number, secretKey: number): void;
  on(message: 'parameterStatus', listen: (message: { parameterName: string; parameterValue: string }) => void): void;
  on(message: 'connect' | 'error', listen: () => void): void;
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

/** Milliseconds that a server may take to process a cancel request, or to close a connection that we end. */
export const endTimeout = 2_000;

/**
 * Asks the server to cancel the statement of a connection. The ORM's `signal` would open and authenticate a connection for it.
 *
 * @returns whether the server has processed the request; otherwise it may still cancel a later statement
 */
export function cancelRunning(client: ClientBase): Promise<boolean> {
  const { host, port, processID, secretKey } = driverOf(client);
  const connection = protocolOf(new pg.Connection());
  const { stream } = connection;
  return new Promise((resolve) => {
    stream.setTimeout(endTimeout, () => stream.destroy());
    stream.once('end', () => resolve(true));
    stream.once('close', () => resolve(false));
    connection.on('error', () => undefined);
    connection.on('connect', () => connection.cancel(processID, secretKey));
    connection.connect(host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : port, host);
  });
}

/** A connection could not be opened, which is never because of the request. */
export class ConnectionFailure extends Error {
  /** The SQLSTATE, or Node.js's error code. */
  readonly code: unknown;

  constructor(cause: Error) {
    // without `cause`, whose message the log would repeat
    super(cause.message);
    this.name = 'ConnectionFailure';
    this.code = (cause as { code?: unknown }).code;
  }
}

/** SQLSTATEs of a server that cannot serve any request (PostgreSQL, appendix A), and the codes of Node.js. */
const lostStates = /^(08...|53...|57P0.|58...|XX...|E[A-Z]+)$/;

/** The driver's messages for a connection that fails or is lost; not that of a pool without a free connection. */
const lostMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|Query read timeout)/;

/** Whether a connection could not be opened, or is lost. */
export function isLost(error: unknown): boolean {
  if (error instanceof ConnectionFailure) return true;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? lostStates.test(code) : lostMessages.test(String(message));
}
