/** Why a request is refused before anybody handles it. */
export class HttpFault extends Error {
  readonly status: 400 | 405 | 413 | 429 | 503;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor(status: HttpFault['status'], message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
