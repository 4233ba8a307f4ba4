import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../kernel/errors.ts';
import type { Log } from '../kernel/request.ts';
import { Exchange } from './exchange.ts';

/** Milliseconds that a client has to read its last response before the connection is closed. */
const lingerTime = 2000;

/** Milliseconds that the first request of a connection has to arrive once the server stops. */
const firstRequestTime = 1_000;

/** How many requests of one connection may wait for their responses. */
const maxPipelined = 32;

const ignore = () => undefined;

export interface ClientConnectionOptions {
  log: Log;
  /** Answers requests, also those that are refused. */
  handle: RequestListener;
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
  #last: Exchange | undefined;
  /** The response to data that is no request: sent once all requests before it are answered. */
  #final: ServerResponse | null = null;
  /** The number of bytes received at the last response. */
  #bytesTaken = 0;
  #unreadable = false;
  #draining = false;
  #closing = false;
  #ending = false;

  constructor(socket: Socket, ip: string | null, options: ClientConnectionOptions) {
    this.socket = socket;
    this.ip = ip;
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

  /**
   * Refuses unreadable data: as part of the last request if that is incomplete, otherwise once the earlier requests are
   * answered, in the form of a request, so that it is answered and logged like any other.
   *
   * @param target of the message, if it can be told
   */
  fail(fault: DomainError, target: string, headers: Record<string, string> = {}): void {
    if (this.#unreadable) return;
    this.#stopReading();
    if (this.#last?.request.complete === false) {
      this.#last.refuse(fault);
      return;
    }
    if (!this.takesRequests()) return;
    // there is no method; other servers log it as `-`, too
    const request = Object.assign(new IncomingMessage(this.socket), { method: '-', url: target });
    const response = new ServerResponse(request);
    const { log, handle } = this.#options;
    const exchange = new Exchange(request, response, { ip: this.ip, log });
    response.setHeaders(new Map(Object.entries(headers)));
    response.once('finish', () => {
      this.#end();
      response.emit('close');
    });
    exchange.fault = fault;
    exchange.endsConnection();
    this.begin(exchange);
    this.#final = response;
    this.#sendFinal();
    handle(request, response);
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
    else this.deadline = performance.now() + firstRequestTime;
  }

  /** Handles a passed deadline. */
  expire(): void {
    if (this.fault && !this.#unreadable) this.fail(this.fault, '');
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
    if (this.#ending || this.socket.destroyed) return;
    this.#sendFinal();
    if (this.#pending.size > 0) return;
    this.#bytesTaken = this.socket.bytesRead;
    this.deadline = performance.now() + this.#options.idleTime;
    // a response that began before the shutdown told its client to keep the connection alive
    if (this.#closing) this.#end();
  }

  #sendFinal(): void {
    if (this.#final && this.#pending.size === 1) this.#final.assignSocket(this.socket);
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
