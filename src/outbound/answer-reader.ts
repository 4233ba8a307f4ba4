import type { Dispatcher } from 'undici';

/** Bytes of an answer that are read, and bytes that are kept of them. */
const readBytes = 4 * 1024;
const keptBytes = 1024;
/** Milliseconds for the body once the head has arrived; what came by then is kept. */
const patience = 1_000;

/** The head of an answer, and the beginning of its body. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** When the head arrived, by `performance.now()`. */
  at: number;
  /** The beginning of the body as text that PostgreSQL can store; the rest is not read. */
  text: string;
  /** Whether the body was read to its end, so that the connection can carry another request. */
  isWhole: boolean;
}

/** Receives the answer to one request from undici, without the streams of its `request`, which take longer than the answer. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  /** Rejected if no head arrives, or the signal aborts before. */
  readonly answer: Promise<HttpAnswer>;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #signal: AbortSignal;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Pick<HttpAnswer, 'status' | 'headers' | 'at'> | null = null;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) this.#abort();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpAnswer['headers']): void {
    // another head follows
    if (status < 200) return;
    this.#head = { status, headers, at: performance.now() };
    this.#timer = setTimeout(() => this.#end(false), patience);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length >= readBytes) this.#end(false);
  }

  onResponseEnd(): void {
    this.#end(true);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // a body that breaks off is as good as one that ends
    if (this.#head) this.#end(false);
    else this.#fail(error);
  }

  /** Before the request has begun, the connection is still being dialled, and whoever dials ends that. */
  readonly #abort = () => this.#controller?.abort(this.#signal.reason);

  #end(isWhole: boolean): void {
    this.#release();
    if (this.#head) this.#resolve({ ...this.#head, text: keptText(this.#chunks), isWhole });
  }

  #fail(error: unknown): void {
    this.#release();
    this.#reject(error);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#abort);
  }
}

/** At most {@link keptBytes} of UTF-8, without a cut character at its end. */
function keptText(chunks: readonly Buffer[]): string {
  if (chunks.length === 0) return '';
  const bytes = Buffer.concat(chunks).subarray(0, keptBytes);
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd');
  const encoded = Buffer.from(text);
  // a byte that is no UTF-8 becomes a character of three
  return encoded.length <= keptBytes
    ? text
    : new TextDecoder().decode(encoded.subarray(0, keptBytes), { stream: true });
}
