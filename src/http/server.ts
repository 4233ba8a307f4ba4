import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../kernel/errors.ts';
import type { Log } from '../kernel/request.ts';
import { BodyMemory } from './body.ts';
import type { HttpBounds } from './connection.ts';
import { ClientConnections } from './connections.ts';
import { Exchange } from './exchange.ts';
import {
  announcesTooMuch,
  framingFault,
  hasBody,
  maxHeaderSize,
  maxHeaders,
  type ParserError,
  parserFault,
  targetOf,
} from './framing.ts';
import { TrustedProxies } from './trust.ts';

export interface HttpServerOptions {
  bounds: HttpBounds;
  trustProxy: boolean | number | string[];
  log: Log;
  /** The maximum size of a request's body, in bytes. */
  bodyLimit(request: IncomingMessage, path: string): number;
  /** Handles a request that has arrived completely or has a fault. Until it is resolved, requests wait. */
  handler: Promise<RequestListener>;
}

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** An HTTP/1.1 server that hands complete, well-formed requests within its limits to the handler. */
export function createHttpServer(options: HttpServerOptions): { server: Server; connections: ClientConnections } {
  const { bounds, log, handler } = options;
  const handle: RequestListener = (request, response) => void handler.then((made) => made(request, response));
  const server = createServer({
    headersTimeout: Math.min(bounds.headersTimeout, bounds.requestTimeout),
    requestTimeout: bounds.requestTimeout,
    keepAliveTimeout: bounds.keepAliveTimeout,
    connectionsCheckingInterval: 1000,
    // more than we accept, so that most oversized headers get an error in the format of their API
    maxHeaderSize: 2 * maxHeaderSize,
    requireHostHeader: false,
  });
  server.maxHeadersCount = maxHeaders + 1;
  // for clients that do not read their responses
  server.timeout = bounds.requestTimeout;
  const proxies = new TrustedProxies(options.trustProxy);
  const memory = new BodyMemory(bounds.bufferBytes);
  const connections = new ClientConnections(server, { bounds, proxies, log, handle });

  function begin(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    const connection = connections.of(request.socket);
    if (!connection?.takesRequests()) return;
    const ip = request.headers['x-forwarded-for'] === undefined ? connection.ip : proxies.clientOf(request);
    const exchange = new Exchange(request, response, { ip, log });
    connection.begin(exchange);
    exchange.fault = connection.refusesLast() ?? framingFault(request);
    if (exchange.fault) exchange.endsConnection();
    if (exchange.fault || !hasBody(request)) {
      handle(request, response);
      return;
    }
    // no 100 Continue for an oversized body: the client has not sent it yet
    const limit = options.bodyLimit(request, exchange.path);
    if (awaitsContinue && !announcesTooMuch(request, limit)) response.writeContinue();
    exchange.receiveBody(limit, memory, () => handle(request, response));
  }
  server.on('request', (request, response) => begin(request, response, false));
  server.on('checkContinue', (request, response) => begin(request, response, true));
  // unknown expectations are ignored (RFC 9110, section 10.1.1)
  server.on('checkExpectation', (request, response) => begin(request, response, false));
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const connection = connections.of(socket);
    const silent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection?.isIdle();
    if (!socket.writable || silent) socket.destroy();
    else connection?.fail(parserFault(error), targetOf(error));
  });
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    const error = new DomainError('METHOD_NOT_ALLOWED', { detail: 'This server is not a proxy.' });
    connections.of(socket)?.fail(error, url, { allow: methods });
  });
  return { server, connections };
}
