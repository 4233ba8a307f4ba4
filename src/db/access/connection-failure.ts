/**
 * A connection could not be opened. The cause is never the request: the server accepts no connections, the database or role
 * no longer exists, or this process has no file descriptors left.
 */
export class ConnectionFailure extends Error {
  /** The SQLSTATE, or Node.js's error code. */
  readonly code: unknown;

  constructor(cause: Error) {
    // without `cause`: the log prints the messages of causes as well, which would repeat this one
    super(cause.message);
    this.name = 'ConnectionFailure';
    this.code = (cause as { code?: unknown }).code;
  }
}
