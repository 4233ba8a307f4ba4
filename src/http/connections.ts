import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { DomainError } from '../kernel/errors.ts';
import { clientAddress, clientNetwork } from '../kernel/limits/client-network.ts';
import { ClientConnection, type ConnectionOptions } from './connection.ts';
import { NetworkShares } from './network-shares.ts';

/** Milliseconds that requests in flight have to finish after a stop signal (operate/proxies-and-restarts.md#start-and-stop). */
const gracePeriod = 15_000;
/** Milliseconds for which a stopping server still accepts connections. */
const longestAccepting = 1_000;
/** Milliseconds that a connection over its network's limit has to send a request, which is then refused. */
const refusalTime = 2000;
/** How many such connections get a response at once; more are closed without one. */
const maxRefused = 100;

/** The connections of a server, with limits on their number, memory and time. */
export class ClientConnections {
  readonly #server: Server;
  readonly #options: ConnectionOptions;
  readonly #open = new Map<Socket, ClientConnection>();
  readonly #shares: NetworkShares;
  /** How many connections each network was refused since the last sweep. */
  readonly #refusals = new Map<string, number>();
  /** How many refused connections are open. */
  #refused = 0;
  readonly #sweeping: NodeJS.Timeout;
  #draining = false;
  #accepted = 0;

  constructor(server: Server, options: ConnectionOptions) {
    this.#server = server;
    this.#options = options;
    const { maxConnections, maxConnectionsPerNetwork } = options.bounds;
    this.#shares = new NetworkShares(maxConnectionsPerNetwork);
    server.maxConnections = maxConnections;
    server.on('connection', (socket) => this.#add(socket));
    server.on('drop', () => this.#countRefusal('all networks'));
    server.on('timeout', (socket) => this.of(socket)?.timedOut());
    this.#sweeping = setInterval(() => this.#sweep(performance.now()), 1000).unref();
  }

  of(socket: Socket): ClientConnection | undefined {
    return this.#open.get(socket);
  }

  /** Closes each connection after its next response, so that clients move to another process. */
  drain(): void {
    this.#draining = true;
    for (const connection of this.#open.values()) connection.drain();
  }

  /** Stops accepting connections and requests, and waits for the requests in flight, at most for the grace period. */
  async close(): Promise<void> {
    this.drain();
    await this.#acceptAll();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#open.values()) connection.close();
    const graceTimer = setTimeout(() => this.#server.closeAllConnections(), gracePeriod);
    await closed;
    clearTimeout(graceTimer);
    clearInterval(this.#sweeping);
  }

  /** Connections not yet accepted when the server stops listening would be reset. Node.js accepts one in each turn. */
  async #acceptAll(): Promise<void> {
    const end = performance.now() + longestAccepting;
    for (let before = -1; before !== this.#accepted && performance.now() < end; await turn()) {
      before = this.#accepted;
      // the event loop may be past its look at the sockets
      await turn();
    }
  }

  #add(socket: Socket): void {
    this.#accepted += 1;
    const ip = clientAddress(socket.remoteAddress);
    const connection = new ClientConnection(socket, ip, this.#options);
    this.#open.set(socket, connection);
    if (this.#draining) connection.drain();
    socket.once('close', () => this.#open.delete(socket));
    if (ip === null || this.#options.proxies.include(ip)) return;
    const giveBack = this.#shares.take(ip);
    if (giveBack) socket.once('close', giveBack);
    else this.#refuse(connection, clientNetwork(ip));
  }

  #refuse(connection: ClientConnection, network: string): void {
    this.#countRefusal(network);
    if (this.#refused >= maxRefused) {
      connection.socket.destroy();
      return;
    }
    this.#refused += 1;
    connection.socket.once('close', () => {
      this.#refused -= 1;
    });
    connection.deadline = performance.now() + refusalTime;
    connection.fault = new DomainError('SERVICE_UNAVAILABLE', {
      detail: 'This network has too many connections.',
      retryAfter: 5,
    });
  }

  #countRefusal(network: string): void {
    this.#refusals.set(network, (this.#refusals.get(network) ?? 0) + 1);
  }

  #sweep(now: number): void {
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
    let sum = holders.reduce((total, { bytes }) => total + bytes, 0);
    if (sum <= bounds.bufferBytes) return;
    for (const { connection, bytes } of holders.sort((a, b) => b.bytes - a.bytes)) {
      log.warn({ ip: connection.ip, bytes }, 'connection closed: it used too much memory');
      connection.socket.destroy();
      sum -= bytes;
      if (sum <= bounds.bufferBytes) return;
    }
  }
}
