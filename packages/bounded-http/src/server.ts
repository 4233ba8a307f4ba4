import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { BodyMemory } from './body-memory.ts';
import { ClientConnection, type ConnectionOptions } from './connection.ts';
import { HttpExchange } from './exchange.ts';
import { HttpFault } from './fault.ts';
import { framingFault, maxHeaderSize, maxHeaders, type ParserError, parserFault } from './framing.ts';
import { NetworkShares } from './network-shares.ts';
import { TrustedProxies } from './trusted-proxies.ts';

export interface HttpServerOptions extends Omit<ConnectionOptions, 'phase' | 'open' | 'handle'> {
  /** As in Express. */
  trustProxy: boolean | number | string[];
  /** The canonical form of an address; null if it is not one. */
  addressOf(given: string | undefined): string | null;
  /** The networks of an address whose connections are limited, narrowest first. */
  networksOf(ip: string): string[];
  /** The maximum size of a request's body, in bytes. */
  bodyLimit(request: IncomingMessage, path: string): number;
  /** Makes the exchange of a request; by default a plain one. */
  open?: ConnectionOptions['open'];
  /** Handles a request that has arrived completely or has a fault; a promise if the server listens before it is ready. */
  handle: Handle | Promise<Handle>;
}

type Handle = ConnectionOptions['handle'];

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
/** Milliseconds that requests in flight have to finish once the server closes. */
const gracePeriod = 15_000;
/** Milliseconds for which a stopping server still accepts connections. */
const longestAccepting = 1_000;
/** How many connections over their network's limit get a response at once; more are closed without one. */
const maxRefused = 100;

/** An HTTP/1.1 server that hands complete, well-formed requests within its limits to the handler. */
export class HttpServer {
  readonly server: Server;
  readonly #options: Omit<HttpServerOptions, 'handle'> & ConnectionOptions;
  readonly #proxies: TrustedProxies;
  readonly #memory: BodyMemory;
  readonly #shares: NetworkShares;
  readonly #open = new Map<Socket, ClientConnection>();
  /** How many connections each network was refused since the last sweep. */
  readonly #refusals = new Map<string, number>();
  readonly #sweeping = setInterval(() => this.#sweep(), 1_000).unref();
  #accepted = 0;

  constructor(options: HttpServerOptions) {
    const { bounds, trustProxy, log } = options;
    const open: ConnectionOptions['open'] = (request, response, ip) => new HttpExchange(request, response, { ip, log });
    const handle: Handle = async (exchange) => (await options.handle)(exchange);
    this.#options = { open, ...options, handle, phase: { draining: false, closing: false } };
    this.#proxies = new TrustedProxies(trustProxy);
    this.#memory = new BodyMemory(bounds.bufferBytes);
    this.#shares = new NetworkShares(bounds.maxConnectionsPerNetwork, options.networksOf);
    this.server = createServer({
      headersTimeout: Math.min(bounds.headersTimeout, bounds.requestTimeout),
      requestTimeout: bounds.requestTimeout,
      keepAliveTimeout: bounds.keepAliveTimeout,
      connectionsCheckingInterval: 1000,
      // more than we accept, so that most oversized headers get an error in the format of their API
      maxHeaderSize: 2 * maxHeaderSize,
      requireHostHeader: false,
    });
    this.server.maxHeadersCount = maxHeaders + 1;
    this.server.maxConnections = bounds.maxConnections;
    // for clients that do not read their responses
    this.server.timeout = bounds.requestTimeout;
    this.server
      .on('connection', (socket) => this.#add(socket))
      .on('drop', () => this.#countRefusal('all networks'))
      .on('timeout', (socket) => this.#open.get(socket)?.timedOut())
      .on('request', (request, response) => this.#begin(request, response))
      .on('checkContinue', (request, response) => this.#begin(request, response, true))
      // unknown expectations are ignored (RFC 9110, section 10.1.1)
      .on('checkExpectation', (request, response) => this.#begin(request, response))
      .on('clientError', (error: ParserError, socket: Socket) => {
        const connection = this.#open.get(socket);
        const silent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection?.isIdle();
        if (silent || !socket.writable) socket.destroy();
        else connection?.fail(...parserFault(error));
      })
      .on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
        const error = new HttpFault(405, 'This server is not a proxy.');
        this.#open.get(socket)?.fail(error, url, { allow: methods });
      });
  }

  /** Closes each connection after its next response, so that clients move to another process. */
  drain(): void {
    this.#options.phase.draining = true;
    for (const connection of this.#open.values()) connection.drain();
  }

  /** Stops accepting connections and requests, and waits for the requests in flight, at most for the grace period. */
  async close(): Promise<void> {
    this.drain();
    // connections not yet accepted when the server stops listening would be reset; Node.js accepts one in each turn
    const end = performance.now() + longestAccepting;
    for (let before = -1; before !== this.#accepted && performance.now() < end; await turn()) {
      before = this.#accepted;
      // the event loop may be past its look at the sockets
      await turn();
    }
    this.#options.phase.closing = true;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const connection of this.#open.values()) connection.close();
    const graceTimer = setTimeout(() => this.server.closeAllConnections(), gracePeriod);
    await closed;
    clearTimeout(graceTimer);
    clearInterval(this.#sweeping);
  }

  #begin(request: IncomingMessage, response: ServerResponse, awaitsContinue = false): void {
    const connection = this.#open.get(request.socket);
    if (!connection?.takesRequests()) return;
    const { addressOf, bodyLimit, handle, open } = this.#options;
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    const exchange = open(request, response, isForwarded ? addressOf(this.#proxies.clientOf(request)) : connection.ip);
    connection.begin(exchange);
    const limit = bodyLimit(request, exchange.path);
    exchange.receiveBody(limit, this.#memory, () => handle(exchange));
    const fault = connection.refusesLast() ?? framingFault(request);
    // no 100 Continue for an oversized body: the client has not sent it yet
    if (fault || Number(request.headers['content-length'] ?? 0) > limit) exchange.refuse(fault);
    else if (awaitsContinue) response.writeContinue();
  }

  #add(socket: Socket): void {
    this.#accepted += 1;
    const ip = this.#options.addressOf(socket.remoteAddress);
    const connection = new ClientConnection(socket, ip, this.#options);
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
    if (ip === null || this.#proxies.include(ip)) return;
    const giveBack = this.#shares.take(ip);
    if (giveBack) {
      socket.once('close', giveBack);
      return;
    }
    this.#countRefusal(this.#options.networksOf(ip)[0] ?? ip);
    const refused = this.#open.values().reduce((sum, { fault }) => sum + Number(fault !== null), 0);
    if (refused < maxRefused) connection.refuse('This network has too many connections.');
    else socket.destroy();
  }

  #countRefusal(network: string): void {
    this.#refusals.set(network, (this.#refusals.get(network) ?? 0) + 1);
  }

  #sweep(): void {
    const now = performance.now();
    for (const connection of this.#open.values()) if (connection.deadline <= now) connection.expire();
    this.#boundBytesHeld();
    for (const [network, connections] of this.#refusals) {
      this.#options.log.warn({ network, connections }, 'connections refused: too many at once');
    }
    this.#refusals.clear();
  }

  /** Closes the connections with the most buffered bytes until the rest is within the limit. */
  #boundBytesHeld(): void {
    const { bounds, log } = this.#options;
    const holders = [...this.#open.values()].map((connection) => ({ connection, bytes: connection.bytesHeld() }));
    let excess = holders.reduce((sum, { bytes }) => sum + bytes, -bounds.bufferBytes);
    for (const { connection, bytes } of holders.sort((a, b) => b.bytes - a.bytes)) {
      if (excess <= 0) return;
      log.warn({ ip: connection.ip, bytes }, 'connection closed: it used too much memory');
      connection.socket.destroy();
      excess -= bytes;
    }
  }
}
