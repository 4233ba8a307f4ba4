import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../kernel/errors.ts';
import type { Exchange, HeldBody } from './exchange.ts';
import { announcesTooMuch } from './framing.ts';

/** The maximum size of a body, in bytes: 1 MiB if it has a form or answers to one, otherwise 100 KiB (interface/bounds.md#requests). */
export const bodyLimits = { usual: 100 * 1024, large: 1024 * 1024 };

/**
 * Receives the body of a request before the request is handled, so that a malformed, oversized or slow body is refused in
 * the same way everywhere, and no handler waits for one.
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
   * @param limit the maximum size of the body in bytes
   * @param done called once the exchange has its body or a fault; not called if the client disconnects first
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
    // Node.js assigns the socket when it is this response's turn
    if (response.socket) return false;
    // the handler may have run, so a refusal would be wrong
    this.#exchange.fault = error;
    request.socket.destroy();
    return true;
  }

  release(): void {
    this.#memory.release(this);
  }

  #take(chunk: Buffer): void {
    // data after a refusal is read and dropped: if the connection were reset, the client would not see the response
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

  /** Copies all chunks into one buffer: keeping one-byte chunks would take hundreds of times their size. */
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

/**
 * Limits the total size of the bodies of all unanswered requests. Over the limit, the oldest body that is still arriving, or
 * is waiting behind earlier requests on its connection, is dropped: an honest body arrives within milliseconds and is handled
 * next, so this hits clients that fill the memory with incomplete bodies or with bodies behind a slow request.
 */
export class BodyMemory {
  readonly #limit: number;
  readonly #held = new Map<HeldBody, number>();
  #total = 0;

  /** @param limit in bytes; larger than the limit of one body */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records how many bytes a body takes now. */
  hold(body: HeldBody, bytes: number): void {
    this.#total += bytes - (this.#held.get(body) ?? 0);
    this.#held.set(body, bytes);
    if (this.#total <= this.#limit) return;
    const error = new DomainError('SERVICE_UNAVAILABLE', {
      detail: 'Too many request bodies are arriving at once.',
      retryAfter: 1,
    });
    for (const oldest of this.#held.keys()) {
      if (oldest.giveUp(error)) this.release(oldest);
      if (this.#total <= this.#limit) break;
    }
  }

  /** Stops counting a body that was refused or dropped, or whose request is answered. */
  release(body: HeldBody): void {
    this.#total -= this.#held.get(body) ?? 0;
    this.#held.delete(body);
  }
}

/** The maximum number of commas, colons and opening brackets in a body; the largest form has 14,000. */
const maxValues = 50_000;

/**
 * Parses a body. Accepts only `application/json` in UTF-8 (RFC 8259, section 8.1): pages of other sites can send forms and
 * `text/plain` without a CORS preflight.
 *
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE, INVALID_JSON, PAYLOAD_TOO_LARGE if it has very many values
 */
export function parseJsonBody(request: IncomingMessage, body: Buffer): unknown {
  if (!isJson(request)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  if (!isUtf8(body)) throw new DomainError('INVALID_JSON', { detail: 'The body is not valid UTF-8.' });
  if (hasMoreValues(body, maxValues)) {
    throw new DomainError('PAYLOAD_TOO_LARGE', { detail: 'The body has too many keys and values.' });
  }
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new DomainError('INVALID_JSON');
  }
}

function isJson({ headers }: IncomingMessage): boolean {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') return false;
  if (headers['content-type'] === 'application/json') return true;
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((each) => each.startsWith('charset='));
  return type === 'application/json' && (charset === undefined || /^charset="?utf-8"?$/.test(charset));
}

const [comma, colon, array, object, quote, backslash] = [...',:[{"\\'].map((sign) => sign.charCodeAt(0));

/**
 * Whether a JSON text has more than `most` commas, colons and opening brackets outside strings, which bounds its keys and
 * values. Objects with a hundred thousand keys, or half a million nested arrays, take ten times as long to parse and copy as
 * a string of the same size.
 */
export function hasMoreValues(json: Buffer, most: number): boolean {
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === comma || byte === colon || byte === array || byte === object) count += 1;
    else if (byte === quote) at = endOfString(json, at + 1);
    if (count > most) return true;
  }
  return false;
}

/** The index of the quote that ends a string; the length of the text if it is missing. */
function endOfString(json: Buffer, start: number): number {
  for (let at = start; at < json.length; at += 1) {
    if (json[at] === quote) return at;
    if (json[at] === backslash) at += 1;
  }
  return json.length;
}
