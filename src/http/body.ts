import type { IncomingMessage } from 'node:http';
import type { DomainError } from '../kernel/errors.ts';
import type { BodyMemory, HeldBody } from './body-memory.ts';
import type { Exchange } from './exchange.ts';

/** Bytes that a body may have: 100 KiB (decisions §4), and 1 MiB if it has a form or answers to one (decisions §10). */
export const bodyLimits = { usual: 100 * 1024, large: 1024 * 1024 };

/** Whether a request has a body, by its headers (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the headers announce a body that is too large. */
export function announcesTooMuch({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? 0) > limit;
}

/**
 * Receives the body of a request before anything looks at the request, so that a body that is malformed, too large or
 * late is refused in the same way everywhere, and no handler ever waits for one.
 */
export class BodyReceiver implements HeldBody {
  readonly #exchange: Exchange;
  readonly #memory: BodyMemory;
  readonly #limit: number;
  readonly #done: () => void;
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #receiving = true;

  /**
   * @param limit bytes that the body may have
   * @param done is called once the exchange has its body or its fault; never if the client disconnects before
   */
  constructor(exchange: Exchange, memory: BodyMemory, limit: number, done: () => void) {
    this.#exchange = exchange;
    this.#memory = memory;
    this.#limit = limit;
    this.#done = done;
    const { request } = exchange;
    if (announcesTooMuch(request, limit)) {
      this.#refuseSize();
      return;
    }
    request.on('data', (chunk: Buffer) => this.#take(chunk));
    request.once('end', () => this.#settle(this.#bytes.subarray(0, this.#length)));
    request.once('close', () => {
      if (this.#receiving) this.#stop();
    });
  }

  /** Drops the body because of a fault in the message or its transport. */
  refuse(fault: DomainError): void {
    if (!this.#receiving) return;
    this.#exchange.fault = fault;
    this.#exchange.endsConnection();
    this.#settle(null);
  }

  giveUp(error: DomainError): boolean {
    const { request, response } = this.#exchange;
    if (this.#receiving) {
      this.refuse(error);
      return true;
    }
    // Node.js gives a response its socket when its turn comes
    if (response.socket) return false;
    // its handler may have run, so a refusal would be wrong
    this.#exchange.fault = error;
    request.socket.destroy();
    return true;
  }

  release(): void {
    this.#memory.release(this);
  }

  #take(chunk: Buffer): void {
    // data after a refusal is read and dropped: a client whose connection is reset would not see the response
    if (!this.#receiving) return;
    const length = this.#length + chunk.length;
    if (length > this.#limit) {
      this.#refuseSize();
      return;
    }
    if (this.#length === 0) this.#bytes = chunk;
    else this.#append(chunk, length);
    this.#length = length;
    this.#memory.hold(this, this.#bytes.length);
  }

  /** Copies all chunks into one buffer: chunks of one byte would take hundreds of times their size. */
  #append(chunk: Buffer, length: number): void {
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * length, 4096), this.#limit));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
  }

  #refuseSize(): void {
    this.#exchange.endsConnection();
    this.#settle(null);
  }

  #settle(body: Buffer | null): void {
    if (!this.#receiving) return;
    this.#exchange.body = body;
    if (body === null) this.#stop();
    // a complete body counts until the exchange ends
    else this.#letGo();
    this.#done();
  }

  #stop(): void {
    this.#letGo();
    this.release();
  }

  #letGo(): void {
    this.#receiving = false;
    this.#bytes = Buffer.alloc(0);
  }
}
