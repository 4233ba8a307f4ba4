import type { ServerResponse } from 'node:http';
import type { Request } from 'express';

const mediaType = 'text/event-stream; charset=utf-8';

/** Milliseconds between two comments, which keep proxies from closing a quiet connection. */
const heartbeat = 15_000;
/** Milliseconds within which a client must read the last chunk; otherwise the stream is closed. */
const patience = 15_000;

/** Sends `text/event-stream` (HTML Living Standard, section 9.2). */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heart: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.shouldKeepAlive = false;
    // nginx and others would buffer the events
    response.writeHead(200, { 'content-type': mediaType, 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    // unread bytes keep the connection open as well
    const beat = () => this.isOpen && !response.writableNeedDrain && response.write(':\n\n');
    this.#heart = setInterval(beat, heartbeat).unref();
    response.once('close', () => clearInterval(this.#heart));
    response.flushHeaders();
    response.socket?.setNoDelay(true);
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Waits until the client has read the text or the stream is closed. */
  async write(text: string): Promise<void> {
    if (!this.isOpen || this.#response.write(text)) return;
    const { promise: read, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#response.destroy(), patience);
    this.#response.once('drain', resolve).once('close', resolve);
    await read;
    clearTimeout(timer);
    this.#response.off('drain', resolve).off('close', resolve);
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

/** Whether a client names event streams; wildcards don't count. */
export function acceptsEvents(request: Request): boolean {
  return request.accepts().some((range) => range.toLowerCase() === 'text/event-stream');
}

/** Whether a client prefers an event stream to JSON (RFC 9110, section 12.5.1), which is the default. */
export function prefersEvents(request: Request): boolean {
  return request.accepts(['application/json; charset=utf-8', mediaType]) === mediaType;
}
