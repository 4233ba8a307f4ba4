import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpExchange, HttpLog } from './exchange.ts';
import { HttpFault } from './fault.ts';

/** Milliseconds that a client has to read its last response. */
const lingerTime = 2000;
/** Milliseconds that a refused connection has to send a request, which is then answered. */
const refusalTime = 2000;
/** Milliseconds that the first request of a connection has to arrive once the server stops. */
const firstRequestTime = 1_000;
/** How many requests of one connection may be unanswered. */
const maxPipelined = 32;

const ignore = () => undefined;

/** Times are in milliseconds. */
export interface HttpBounds {
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  /** More connections are closed immediately. */
  maxConnections: number;
  /** Except of trusted proxies, which carry many clients. */
  maxConnectionsPerNetwork: number;
  /** The maximum total bytes of bodies, and of incomplete headers and unread responses. */
  bufferBytes: number;
}

export interface ConnectionOptions {
  bounds: HttpBounds;
  log: HttpLog;
  phase: { draining: boolean; closing: boolean };
  /** Makes the exchange of a request. */
  open(request: IncomingMessage, response: ServerResponse, ip: string | null): HttpExchange;
  /** Handles a request that has arrived completely or has a fault. */
  handle(exchange: HttpExchange): unknown;
}

/** One connection: its unanswered requests, and how it ends. */
export class ClientConnection {
  readonly socket: Socket;
  readonly ip: string | null;
  /** Why all its requests are refused. */
  fault: HttpFault | null = null;
  /** When it must be closed, by `performance.now()`. */
  deadline = Number.POSITIVE_INFINITY;
  readonly #options: ConnectionOptions;
  readonly #pending = new Set<HttpExchange>();
  #last: HttpExchange | undefined;
  /** The response to unreadable data, sent after all others. */
  #final: ServerResponse | null = null;
  /** The number of bytes received at the last response. */
  #bytesTaken = 0;
  #unreadable = false;

  constructor(socket: Socket, ip: string | null, options: ConnectionOptions) {
    this.socket = socket;
    this.ip = ip;
    this.#options = options;
    // the requests report it
    socket.on('error', ignore);
    socket.once('close', () => {
      for (const exchange of this.#pending) this.#answered(exchange);
    });
    // Node.js calls this after a response with `connection: close`
    socket.destroySoon = () => this.#end();
  }

  takesRequests(): boolean {
    return !this.socket.writableEnded && this.#last?.response.shouldKeepAlive !== false;
  }

  begin(exchange: HttpExchange): void {
    this.#last = exchange;
    this.#pending.add(exchange);
    this.deadline = Number.POSITIVE_INFINITY;
    if (this.#options.phase.draining) exchange.response.shouldKeepAlive = false;
    exchange.response.once('close', () => this.#answered(exchange));
  }

  /** Refuses all its requests. */
  refuse(message: string): void {
    this.fault = new HttpFault(503, message, 5);
    this.deadline = performance.now() + refusalTime;
  }

  /** Why the newest request must be refused, whatever it is. */
  refusesLast(): HttpFault | null {
    if (this.fault || this.#pending.size <= maxPipelined) return this.fault;
    return new HttpFault(429, `At most ${maxPipelined} requests can wait for their responses on one connection.`, 1);
  }

  /**
   * Refuses unreadable data: as part of the last request if that is incomplete, otherwise as a separate request, so that it
   * is answered and logged like any other.
   *
   * @param target of the request; empty if unknown
   */
  fail(fault: HttpFault, target = '', headers: Record<string, string> = {}): void {
    if (this.#unreadable) return;
    this.#stopReading();
    if (this.#last?.request.complete === false) {
      this.#last.refuse(fault);
      return;
    }
    if (!this.takesRequests()) return;
    // other servers, too, log an unknown method as `-`
    const request = Object.assign(new IncomingMessage(this.socket), { method: '-', url: target });
    const response = new ServerResponse(request);
    const { open, handle } = this.#options;
    const exchange = open(request, response, this.ip);
    response.setHeaders(new Map(Object.entries(headers)));
    response.once('finish', () => {
      this.#end();
      response.emit('close');
    });
    exchange.fault = fault;
    response.shouldKeepAlive = false;
    this.begin(exchange);
    this.#final = response;
    this.#sendFinal();
    handle(exchange);
  }

  /** Closes the connection after the response in flight, or the next one. */
  drain(): void {
    if (this.#pending.size > 0 && this.#last) this.#last.response.shouldKeepAlive = false;
  }

  /** Node.js closes idle connections, but the first request of a new one may be on its way. */
  close(): void {
    if (!this.#last) this.deadline = performance.now() + firstRequestTime;
  }

  expire(): void {
    if (this.fault && !this.#unreadable) this.fail(this.fault);
    else this.socket.destroy();
  }

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
      return this.#pending.values().reduce((sum, each) => sum + each.response.writableLength, 0);
    const arriving = socket.writableEnded ? 0 : socket.bytesRead - this.#bytesTaken;
    return arriving + socket.writableLength;
  }

  #answered(exchange: HttpExchange): void {
    if (!this.#pending.delete(exchange)) return;
    exchange.end();
    if (this.socket.writableEnded || this.socket.destroyed) return;
    this.#sendFinal();
    if (this.#pending.size > 0) return;
    this.#bytesTaken = this.socket.bytesRead;
    // Node.js closes idle connections a second after the announced time, and checks for late headers once a second; empty
    // lines extend the former and do not start the latter
    const { keepAliveTimeout, headersTimeout } = this.#options.bounds;
    this.deadline = performance.now() + keepAliveTimeout + headersTimeout + 2000;
    // a response that began before the shutdown asked the client to keep the connection alive
    if (this.#options.phase.closing) this.#end();
  }

  #sendFinal(): void {
    if (this.#pending.size === 1) this.#final?.assignSocket(this.socket);
  }

  /** Half-closes: data that arrives at a closed socket causes a reset, and an unread response is lost (RFC 9112, section 9.6). */
  #end(): void {
    if (this.socket.writableEnded) return;
    this.deadline = performance.now() + lingerTime;
    this.socket.end();
    this.#stopReading();
  }

  /** Drops everything that the client sends from now on. */
  #stopReading(): void {
    this.#unreadable = true;
    const { socket } = this;
    // until another listener is added, Node.js passes the data to its parser
    socket.on('data', ignore);
    socket.removeAllListeners('data').resume();
  }
}
