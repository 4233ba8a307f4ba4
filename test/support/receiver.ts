import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { inTest } from './shared.ts';
import { certificate, privateKey } from './smtp-certificate.ts';

/** A request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders;
  /** The raw body. */
  text: string;
  path: string;
  at: number;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** How a receiver answers; by default with 200. */
export type Respond = (response: ServerResponse, request: Received) => void;

/** Starts receivers that end with the test. */
export const startedReceiver = (...given: Parameters<typeof startReceiver>) => inTest(startReceiver(...given));

/** A receiver of webhooks on an address of this machine, by plain HTTP or with a certificate that nobody vouches for. */
export async function startReceiver(
  respond: Respond = (response) => void response.end('ok'),
  { tls = false, host = '127.0.0.1' } = {},
) {
  /** What came, in the order of arrival. */
  const received: Received[] = [];
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url: path = '' } = request;
      const one = { headers, path, text: Buffer.concat(chunks).toString(), at: Date.now() };
      received.push(one);
      respond(response, one);
    });
  };
  const server = tls ? createSecureServer({ cert: certificate, key: privateKey }, listener) : createServer(listener);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${port}/hook`,
    port,
    received,
    /** Connections that were opened, also those without a request. */
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server that does what it likes with connections, until the test ends; its URL. */
export async function startedSockets(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
