import type { Socket } from 'node:net';
import { DomainError } from '../kernel/errors.ts';
import type { Exchange } from './exchange.ts';
import { tooSlow } from './framing.ts';
import type { Unrequested } from './refusal.ts';

/** Milliseconds that a client has to read its last response before the connection is closed. */
const lingerTime = 2000;

/** Milliseconds from the beginning of a connection in which its first request arrives, unless the client is idle. */
const firstRequestTime = 1_000;

/** How many requests of one connection may wait for their responses. */
const maxPipelined = 32;

const ignore = () => undefined;

export interface ClientConnectionOptions {
  ip: string | null;
  /** The bytes of a refusal for a message that never became a request. */
  refusal(refused: Unrequested): string;
  /** Milliseconds from a response to the end of the next request's headers. */
  idleTime: number;
}

/** One connection: its unanswered requests, and how it ends. */
export class ClientConnection {
  readonly socket: Socket;
  readonly ip: string | null;
  /** Why all its requests are refused; null if they are not. */
  fault: DomainError | null = null;
  /** When it must be closed, by `performance.now()`. */
  deadline = Number.POSITIVE_INFINITY;
  readonly #options: ClientConnectionOptions;
  readonly #pending = new Set<Exchange>();
  readonly #opened = performance.now();
  #last: Exchange | undefined;
  /** Written once all earlier requests are answered. */
  #finalRefusal: string | null = null;
  /** The number of bytes received at the last response. */
  #bytesTaken = 0;
  #unreadable = false;
  #draining = false;
  #closing = false;
  #ending = false;

  constructor(socket: Socket, options: ClientConnectionOptions) {
    this.socket = socket;
    this.ip = options.ip;
    this.#options = options;
    // the requests report the failure; an error without a listener would end the process
    socket.on('error', ignore);
    socket.once('close', () => {
      for (const exchange of this.#pending) exchange.end();
    });
    // Node.js calls this after a response with `connection: close`
    socket.destroySoon = () => this.#end();
  }

  /** Whether another request is accepted: not after one that ends the connection. */
  takesRequests(): boolean {
    return !this.#ending && this.#last?.response.shouldKeepAlive !== false;
  }

  begin(exchange: Exchange): void {
    this.#last = exchange;
    this.#pending.add(exchange);
    this.deadline = Number.POSITIVE_INFINITY;
    if (this.#draining) exchange.endsConnection();
    exchange.response.once('close', () => this.#answered(exchange));
  }

  /** The error if the state of the connection requires refusing its newest request; null otherwise. */
  refusesLast(): DomainError | null {
    if (this.fault || this.#pending.size <= maxPipelined) return this.fault;
    return new DomainError('RATE_LIMITED', {
      detail: `At most ${maxPipelined} requests can wait for their responses on one connection.`,
      retryAfter: 1,
    });
  }

  /** Refuses unreadable data: as part of the last request if that is incomplete, otherwise once the earlier requests are answered. */
  fail(error: DomainError, target: string, headers?: Record<string, string>): void {
    if (this.#unreadable) return;
    this.#stopReading();
    if (this.#last?.request.complete === false) this.#last.heldBody?.refuse(error);
    else if (this.takesRequests()) {
      this.#finalRefusal = this.#options.refusal({ error, target, ip: this.ip, headers });
      if (this.#pending.size === 0) this.#writeFinalRefusal();
    }
  }

  /** Ends with the response to the request in flight, or to the next one. */
  drain(): void {
    this.#draining = true;
    if (this.#pending.size > 0) this.#last?.endsConnection();
  }

  /**
   * Ends a connection that drains already once its current requests are answered. The first request of a new connection may
   * already be on its way, so it gets a moment.
   */
  close(): void {
    this.#closing = true;
    if (this.#pending.size > 0 || this.#ending) return;
    if (this.#last) this.socket.destroy();
    else this.deadline = this.#opened + firstRequestTime;
  }

  /** Handles a passed deadline. */
  expire(): void {
    const fault = this.fault ?? (this.isIdle() ? null : tooSlow());
    if (fault && !this.#unreadable) this.fail(fault, '');
    else this.socket.destroy();
  }

  /** Handles Node.js's socket timeout: no byte was sent or received. */
  timedOut(): void {
    if (this.socket.writableLength > 0 || this.isIdle()) this.socket.destroy();
  }

  /** Whether no request is open, and nothing was received since the last response. */
  isIdle(): boolean {
    return this.#pending.size === 0 && this.socket.bytesRead === this.#bytesTaken;
  }

  /** Bytes buffered for the client: incomplete headers, and responses that it has not read. */
  bytesHeld(): number {
    const { socket } = this;
    if (this.#pending.size > 0)
      return [...this.#pending].reduce((sum, { response }) => sum + response.writableLength, 0);
    const arriving = this.#ending ? 0 : socket.bytesRead - this.#bytesTaken;
    return arriving + socket.writableLength;
  }

  #answered(exchange: Exchange): void {
    this.#pending.delete(exchange);
    exchange.end();
    if (this.#pending.size > 0 || this.#ending) return;
    this.#bytesTaken = this.socket.bytesRead;
    this.deadline = performance.now() + this.#options.idleTime;
    if (this.#finalRefusal !== null) this.#writeFinalRefusal();
    // a response that began before the shutdown told its client to keep the connection alive
    else if (this.#closing) this.#end();
  }

  #writeFinalRefusal(): void {
    this.socket.write(this.#finalRefusal as string);
    this.#end();
  }

  /**
   * Half-closes the connection and waits for the client to close its half: data arriving at a closed socket causes a reset,
   * which would destroy the response before the client has read it (RFC 9112, section 9.6).
   */
  #end(): void {
    if (this.#ending) return;
    this.#ending = true;
    this.deadline = performance.now() + lingerTime;
    this.socket.end();
    this.#stopReading();
  }

  /** Reads and drops everything that the client sends from now on. */
  #stopReading(): void {
    this.#unreadable = true;
    const { socket } = this;
    // Node.js passes the data to its parser until another listener is added
    socket.on('data', ignore);
    for (const listener of socket.listeners('data')) {
      if (listener !== ignore) socket.off('data', listener as () => void);
    }
    socket.resume();
  }
}
