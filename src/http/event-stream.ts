import type { ServerResponse } from 'node:http';

/** Milliseconds between two comments, which keep proxies from closing a quiet connection. */
const heartbeat = 15_000;
/** How many bytes may wait for a client that does not read; then the stream is closed. */
const maxUnread = 256 * 1024;

/** Sends `text/event-stream` (HTML Living Standard, section 9.2): writes the headers at once, and then each piece as it comes. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heart: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.statusCode = 200;
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    // nginx and others would hold back what they gather
    response.setHeader('x-accel-buffering', 'no');
    response.shouldKeepAlive = false;
    this.#heart = setInterval(() => this.write(':\n\n'), heartbeat).unref();
    response.once('close', () => clearInterval(this.#heart));
    response.flushHeaders();
    response.socket?.setNoDelay(true);
  }

  /** Whether the client is still there. */
  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Sends complete events or comments. */
  write(text: string): void {
    if (!this.isOpen) return;
    this.#response.write(text);
    // with what waits in the socket
    if (this.#response.writableLength > maxUnread) this.#response.destroy();
  }

  end(): void {
    clearInterval(this.#heart);
    if (this.isOpen) this.#response.end();
  }
}

/** One event; `data` is JSON, which has no line breaks. */
export function eventText({ id, event, data }: { id?: string; event: string; data: object }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
