/**
 * A connection that could not be opened. Whatever the server says, no request is to blame: it takes no connections, has no
 * such database or role any more, or this process has no file descriptor left.
 */
export class ConnectionFailure extends Error {
  /** The SQLSTATE, or the code of Node.js. */
  readonly code: unknown;

  constructor(cause: Error) {
    // the log writes the messages of causes as well, and this would be twice the same
    super(cause.message);
    this.name = 'ConnectionFailure';
    this.code = (cause as { code?: unknown }).code;
  }
}
