import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long requests in flight may take to finish once the service was told to stop, in milliseconds (decisions §5). */
const gracePeriod = 15_000;

/** The connections of a server, with the answers that each of them waits for. */
export class Connections {
  readonly #server: Server;
  readonly #pending = new Map<Socket, Set<ServerResponse>>();
  #closing = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#pending.set(socket, new Set());
      socket.on('close', () => this.#pending.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => this.#follow(socket, response));
  }

  /** Answers what never became a request, once the requests that came before it on its connection are answered. */
  refuse(socket: Socket, answer: string): void {
    const last = [...(this.#pending.get(socket) ?? [])].at(-1);
    if (!last) socket.end(answer);
    else if (last.shouldKeepAlive) last.once('close', () => socket.writable && socket.end(answer));
  }

  /**
   * Takes no new connections and no further requests on those that there are, and waits for the requests in flight;
   * those that take longer than the grace period are cut off.
   */
  async close(): Promise<void> {
    this.#closing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const [socket, responses] of this.#pending) {
      if (responses.size === 0) socket.destroy();
      for (const response of responses) response.shouldKeepAlive = false;
    }
    const impatience = setTimeout(() => this.#server.closeAllConnections(), gracePeriod);
    await closed;
    clearTimeout(impatience);
  }

  #follow(socket: Socket, response: ServerResponse): void {
    const responses = this.#pending.get(socket);
    responses?.add(response);
    if (this.#closing) response.shouldKeepAlive = false;
    response.on('close', () => {
      responses?.delete(response);
      // an answer that had begun before the stop told its client to go on
      if (this.#closing && responses?.size === 0) socket.destroySoon();
    });
  }
}
