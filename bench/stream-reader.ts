import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A change as a stream tells it. */
export interface ToldChange {
  id: string;
  kind: string;
  object_id: string;
  version: number | null;
  occurred_at: string;
}

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

/** A client of the stream of changes, which goes on from its last change wherever it connects. */
export class StreamReader {
  readonly #headers: () => Promise<Record<string, string>>;
  readonly #told: (change: ToldChange) => void;
  #last: string | null = null;
  #response: IncomingMessage | null = null;
  #closed: () => void = () => undefined;
  #text = '';

  /** @param headers those of its user, whose token expires */
  constructor(headers: () => Promise<Record<string, string>>, told: (change: ToldChange) => void) {
    this.#headers = headers;
    this.#told = told;
  }

  get isOpen(): boolean {
    return this.#response !== null;
  }

  /** The id of the last event; null before the first. */
  get last(): string | null {
    return this.#last;
  }

  /** Connects; resolves once the stream has begun. @throws Error if it is refused */
  async open(url: string): Promise<void> {
    const resumed = this.#last === null ? {} : { 'last-event-id': this.#last };
    const headers = { ...(await this.#headers()), ...resumed, accept: 'text/event-stream' };
    await new Promise<void>((resolve, reject) => {
      const request = get(`${url}/changes?since=now`, { headers, agent }, (response) => {
        if (response.statusCode !== 200) {
          response.resume();
          reject(new Error(`a stream is answered ${response.statusCode}`));
          return;
        }
        this.#response = response;
        this.#text = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => this.#read(text));
        // whatever ends it, the reader comes back by itself
        response.on('error', () => undefined);
        response.on('close', () => {
          if (this.#response !== response) return;
          this.#response = null;
          this.#closed();
        });
        resolve();
      });
      request.on('error', reject);
    });
  }

  /** Waits until the server disconnects, at most some milliseconds. */
  async closed(milliseconds: number): Promise<void> {
    if (!this.isOpen) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#closed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Disconnects, and forgets nothing. */
  close(): void {
    const response = this.#response;
    this.#response = null;
    response?.destroy();
  }

  /** Waits for the first event, whose id leads to what comes after it. */
  async ready(): Promise<void> {
    while (this.#last === null && this.isOpen) await sleep(20);
  }

  #read(text: string): void {
    if (this.#response === null) return;
    this.#text += text;
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      const id = /^id: (.*)$/m.exec(block)?.[1];
      if (id === undefined) continue;
      this.#last = id;
      if (block.includes('event: change')) this.#told(JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? ''));
    }
  }
}
