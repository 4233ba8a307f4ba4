import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyMemory } from './body-memory.ts';
import type { HttpFault } from './fault.ts';

/** The part of pino that the server needs. */
export interface HttpLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = Buffer.alloc(0);
/** What a chunk takes beyond its bytes. */
const chunkCost = 500;

/** A request and its response, from the end of the headers to the last byte. Services extend it by what they know of a request. */
export class HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly ip: string | null;
  readonly path: string;
  /** Why the request is refused, whatever its target. */
  fault: HttpFault | null = null;
  /** Null if it is too large. */
  body: Buffer | null = nothing;
  heldBytes = 0;
  #memory: BodyMemory | null = null;
  #chunks: Buffer[] = [];
  /** Hands the request on, with its body or fault; null once that happened. */
  #done: (() => void) | null = null;

  /** @param ip of the client; null if the connection was gone before */
  constructor(request: IncomingMessage, response: ServerResponse, { ip, log }: { ip: string | null; log: HttpLog }) {
    this.request = request;
    this.response = response;
    this.ip = ip;
    this.path = pathOf(request.url ?? '');
    // a bug, such as a write after the end, must not end the process
    response.on('error', (error) => log.error({ ...this.logFields(), err: error }, 'a response failed'));
  }

  /** What the log says of this exchange. */
  protected logFields(): object {
    return {};
  }

  /**
   * Receives the body before the request is handled: all bad bodies are refused in one way.
   *
   * @param done called once there is a body or a fault; not if the client disconnects first
   */
  receiveBody(limit: number, memory: BodyMemory, done: () => void): void {
    let length = 0;
    this.#memory = memory;
    this.#done = done;
    this.request.on('data', (chunk: Buffer) => {
      // after a refusal data is dropped: a reset would keep the client from seeing the response
      if (!this.#done) return;
      length += chunk.length;
      this.#chunks.push(chunk);
      if (length > limit) this.refuse(null);
      else memory.hold(this, length + this.#chunks.length * chunkCost);
    });
    this.request.once('end', () => this.#settle(Buffer.concat(this.#chunks)));
  }

  /** Refuses the request unless it has arrived. @param fault null if the body is too large */
  refuse(fault: HttpFault | null): void {
    if (!this.#done) return;
    this.fault = fault;
    this.response.shouldKeepAlive = false;
    this.#memory?.release(this);
    this.#settle(null);
  }

  /** Drops the body, to free memory; false if the request is being handled in its turn. */
  giveUp(fault: HttpFault): boolean {
    // Node.js assigns the socket when it is this response's turn
    if (!this.#done && this.response.socket) return false;
    if (this.#done) this.refuse(fault);
    else {
      // the handler may have run, so a refusal would be wrong
      this.fault = fault;
      this.request.socket.destroy();
    }
    return true;
  }

  /** The complete body, which the exchange no longer keeps; empty if there is none, null if it is too large. */
  takeBody(): Buffer | null {
    const { body } = this;
    this.body = body && nothing;
    return body;
  }

  /** Releases the body. Called once the response is sent or the client has disconnected. */
  end(): void {
    this.body = nothing;
    this.#done = null;
    this.#chunks = [];
    this.#memory?.release(this);
  }

  #settle(body: Buffer | null): void {
    const done = this.#done;
    this.#done = null;
    this.#chunks = [];
    if (!done) return;
    this.body = body;
    done();
  }
}

/** The path of a request target; empty if its form has none (RFC 9112, section 3.2). */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split(/[?#]/, 1)[0] as string;
  return URL.parse(target)?.pathname ?? '';
}
